import { availableParallelism } from 'node:os'
import { defineEnv, oneOf, plain } from '../env/env.ts'

/** Each has about seven connections to the database, and PostgreSQL allows a hundred by default. */
const mostOfAuto = 12

const most = 256

/** How many processes serve the port: `auto` is one for each core. */
const processes = plain<number>((given = '1') => {
  if (given === 'auto') return { value: Math.min(mostOfAuto, availableParallelism()) }
  const value = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN
  return value >= 1 && value <= most
    ? { value }
    : { problem: `must be auto or a whole number from 1 to ${most}` }
})

export const processVariables = {
  SVC_PROCESSES: processes,
  SVC_LISTEN: oneOf('port', 'handed'),
}

export const readProcessEnv = defineEnv(processVariables)

export type ProcessEnv = ReturnType<typeof readProcessEnv>
