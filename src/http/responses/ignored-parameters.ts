/** Names the parameters that a table does not have: they have no effect. */
export const ignoredParametersHeader = 'X-Ignored-Parameters'
