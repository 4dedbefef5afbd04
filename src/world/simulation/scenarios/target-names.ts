/** Nouns that stand before names in sentences, and need not be written. */
const nouns = /^(?:cable|cooling unit|customer|gateway|host|link|pool|port|(?:power )?feed|switch) /

/** Names as they are compared: "tfd-a-edge1 port Eth1/15" is "tfd-a-edge1 eth1/15". */
export const comparableName = (name: string): string =>
  name.trim().toLowerCase().replaceAll('–', '-').replace(nouns, '').replace(' port ', ' ')
