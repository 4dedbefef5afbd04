/**
 * `act` creates FILE.answers beside a file of actions, and a mirror appends to it what becomes of each line. So the
 * mirror writes only where it is asked, and an answer proves that it reads the file: nothing can be stale.
 */
export const answersFileOf = (actionsPath: string): string => `${actionsPath}.answers`

/** A line of the file of answers. */
export interface ActionAnswer {
  /** The line of the file of actions: "line 3". */
  readonly place: string
  /** The action of a line that is only `read` waits for the next step, or for the end of the warm-up. */
  readonly state: 'read' | 'scheduled' | 'injected' | 'no-target' | 'refused'
  /** A sentence that begins with the place. */
  readonly text: string
}
