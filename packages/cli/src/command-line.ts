import { parseArgs } from 'node:util'
import { nearest } from '@svc/core/nearest'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { UsageError } from './failure.ts'
import { type FlagName, type Flags, flags, typed } from './flags.ts'

type Invocation =
  | { kind: 'help'; name?: string }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; flags: Flags; argument: string }

interface OptionToken {
  value?: string | undefined
  inlineValue?: boolean | undefined
}

/**
 * The command and flags of a command line. Throws a `UsageError` of one line if it is not valid.
 */
export function readCommandLine(args: readonly string[]): Invocation {
  const [first] = args
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help' }
  if (first === '--version' || first === '-v') return { kind: 'version' }

  if (first === 'help') return readHelp(args.slice(1))
  const name = commandName(args)
  const command = commands.get(name)
  if (!command) throw unknownCommand(first)
  const rest = args.slice(name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', name }
  return { kind: 'run', command, ...readRest(name, command, rest) }
}

/** Whether failures are printed as JSON: also that of a command line that is wrong otherwise. */
export function asksForJson(args: readonly string[]) {
  return args.some(
    (arg, at) => arg === '--output=json' || (arg === '--output' && args[at + 1] === 'json'),
  )
}

/** `help migrate status`, which is `migrate status --help`. */
function readHelp(words: readonly string[]): Invocation {
  const [first] = words
  if (first === undefined) return { kind: 'help' }
  const name = commandName(words)
  if (commands.has(name)) return { kind: 'help', name }
  throw unknownCommand(first)
}

/** `migrate status` if both words are there, else the first word. */
function commandName([first = '', second = '']: readonly string[]) {
  const both = `${first} ${second}`
  return commands.has(both) ? both : first
}

function unknownCommand(word: string) {
  const kind = word.startsWith('-') ? 'flag' : 'command'
  const names = [...commands.keys()]
  const meant =
    names.find(isBelow(word)) ?? nearest(word, [...names, 'help', '--help', '--version'])
  const hint = meant ? `Did you mean "svc ${meant}"?` : 'See "svc --help".'
  return new UsageError(`svc has no ${kind} "${word}". ${hint}`)
}

function readRest(name: string, command: Command, args: readonly string[]) {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      command.flags.map((flag) => [
        typed(flag),
        { type: flags[flag].value ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
    // `parseArgs`'s own refusals say neither which command this is nor which flag was meant.
    strict: false,
    tokens: true,
  })
  const given: Record<string, string | true> = {}
  let argument: string | undefined
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const isNext = argument !== undefined
      if (!command.argument || (isNext && !command.takesText)) {
        throw unexpectedWord(name, token.value)
      }
      argument = isNext ? `${argument} ${token.value}` : token.value
    }
    if (token.kind === 'option') {
      const flag = command.flags.find((known) => `--${typed(known)}` === token.rawName)
      if (!flag) throw unknownFlag(name, command, token.rawName)
      given[flag] = readValue(name, flag, token)
    }
  }
  if (!command.argument || argument) return { flags: given as Flags, argument: argument ?? '' }
  throw new UsageError(`svc ${name} needs ${command.argument}: svc ${name} ${command.argument}`)
}

function readValue(name: string, flag: FlagName, token: OptionToken) {
  const { value, made } = flags[flag]
  if (!value) {
    if (token.value === undefined) return true
    throw new UsageError(`svc ${name}: --${typed(flag)} takes no value.`)
  }
  // `--name --check` forgot the name. A file that begins with a dash can be given as ./-file or
  // --out=-file.
  const given = token.inlineValue || !token.value?.startsWith('-') ? token.value : undefined
  if (!given) {
    throw new UsageError(`svc ${name}: --${typed(flag)} needs a value: --${typed(flag)} ${value}`)
  }
  if (!made || made.of.test(given)) return given
  throw new UsageError(`svc ${name}: --${typed(flag)} takes ${made.told}, not "${given}".`)
}

function unknownFlag(name: string, command: Command, word: string) {
  const known = [...command.flags.map((flag) => `--${typed(flag)}`), '--help']
  const meant = nearest(word, known)
  const hint = meant ? `Did you mean "${meant}"?` : `Its flags are ${listed(known)}.`
  return new UsageError(`svc ${name} has no flag "${word}". ${hint}`)
}

function unexpectedWord(name: string, word: string) {
  const meant = nearest(`${name} ${word}`, [...commands.keys()].filter(isBelow(name)))
  const hint = meant ? `Did you mean "svc ${meant}"?` : `See "svc ${name} --help".`
  return new UsageError(`svc ${name} does not take "${word}". ${hint}`)
}

function isBelow(name: string) {
  return (other: string) => other.startsWith(`${name} `)
}

function listed(words: readonly string[]) {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
