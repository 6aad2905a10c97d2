import type { Application } from './application/application.ts'
import type { FlagName, Flags } from './flags.ts'

/** The groups in which help lists them, in this order. */
export const groups = [
  'Create and run',
  'Generate and migrate',
  'Describe the API',
  'Operate',
  'Call the API',
  'Read the documentation',
] as const

interface About {
  group: (typeof groups)[number]
  summary: string
  details: string
  flags: readonly FlagName[]
  /** A word that is typed after the command, as help shows it: `<folder>`. */
  argument?: string
  /** Takes what is typed after it as one text, with its spaces. */
  takesText?: true
}

/**
 * Each command imports its code only when it runs, because that takes up to a second to load. It
 * returns the exit code.
 */
interface OfApplication extends About {
  run(application: Application, flags: Flags, argument: string): Promise<number>
}

/** Works anywhere: it does not need an application. */
interface Alone extends About {
  runAlone(flags: Flags, argument: string): Promise<number>
}

export type Command = OfApplication | Alone
