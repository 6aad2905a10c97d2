import type { AddressQuery } from '../address-query.ts'

/** Where the page of each list begins; empty for the first one. */
export interface ProgramsQuery {
  agents: string
  machines: string
}

/** What is no place of a page is left out. */
export function readProgramsQuery({ agents, machines }: AddressQuery): ProgramsQuery {
  return { agents: placeIn(agents), machines: placeIn(machines) }
}

function placeIn(given: string | string[] | undefined) {
  return typeof given === 'string' && /^[\w-]{1,4000}$/.test(given) ? given : ''
}

/** The address of a page of one list, where the other one stays as it is. */
export function programsAddress(path: string, { agents, machines }: ProgramsQuery) {
  const query = new URLSearchParams({ ...(agents && { agents }), ...(machines && { machines }) })
  return query.size > 0 ? `${path}?${query}` : path
}
