import type { PromptMessage } from '@modelcontextprotocol/server'
import { type Complete, completionOf } from './completion.ts'
import { lacksPermission } from './permissions.ts'
import { hideBugs, invalid, type Serving } from './serving.ts'

/** A value that a user gives for a prompt. It is text. */
export interface PromptArgument {
  readonly describe: string
  readonly isOptional?: true
  /** What clients suggest while the user types. */
  readonly complete?: Complete
}

type Arguments = Readonly<Record<string, PromptArgument>>

type GivenFor<Taken extends Arguments> = {
  readonly [Name in keyof Taken]: Taken[Name] extends { isOptional: true }
    ? string | undefined
    : string
}

/** What a prompt is: the words that users and models read, who may use it, and its text. */
export interface PromptWords<Taken extends Arguments> {
  readonly title: string
  readonly describe: string
  /** What an agent needs for it. */
  readonly permission: string
  readonly arguments?: Taken
  /**
   * The text for the model, or messages. It gets no caller and no database: what a prompt needs to know, the model reads
   * by a tool or a resource, under the access of its route.
   */
  readonly messages: (given: GivenFor<Taken>) => string | readonly PromptMessage[]
}

/** A prompt that `prompt(…)` has made. */
export interface Prompt extends Omit<PromptWords<Arguments>, 'messages'> {
  readonly messages: (given: Readonly<Record<string, string>>) => string | readonly PromptMessage[]
}

/** A text with arguments that a user can choose in a client, such as a command. */
export function prompt<const Taken extends Arguments = {}>(words: PromptWords<Taken>): Prompt {
  // `given` has been checked against the arguments.
  return words as Prompt
}

type Prompts = Readonly<Record<string, Prompt>>

/** Lists the prompts that the caller may use, and gives no other. */
export function servePrompts({ server, c, granted }: Serving, prompts: Prompts) {
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts)
      .filter(([, { permission }]) => granted.includes(permission))
      .map(([name, each]) => listed(name, each)),
  }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    hideBugs(c, async () => {
      const found = findPrompt(prompts, params.name, granted)
      const said = found.messages(checked(found, params.arguments ?? {}))
      const messages =
        typeof said === 'string'
          ? [{ role: 'user' as const, content: { type: 'text' as const, text: said } }]
          : [...said]
      return { description: found.describe, messages }
    }),
  )
}

/** The values for an argument of a prompt. */
export function completePrompt(
  { c, granted }: Serving,
  prompts: Prompts,
  { name, argument }: { name: string; argument: { name: string; value: string } },
) {
  const { arguments: taken = {} } = findPrompt(prompts, name, granted)
  const found = Object.hasOwn(taken, argument.name) ? taken[argument.name] : undefined
  if (!found) throw invalid(`${name} takes no "${argument.name}".`)
  return completionOf(found.complete, argument.value, c)
}

function findPrompt(prompts: Prompts, name: string, granted: readonly string[]) {
  const found = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  if (!found) throw invalid('There is no such prompt. List the prompts to see their names.')
  if (!granted.includes(found.permission)) throw invalid(lacksPermission(name, found.permission))
  return found
}

function listed(name: string, { title, describe, arguments: taken = {} }: Prompt) {
  return {
    name,
    title,
    description: describe,
    arguments: Object.entries(taken).map(([argument, { describe: description, isOptional }]) => ({
      name: argument,
      description,
      required: !isOptional,
    })),
  }
}

function checked({ arguments: taken = {} }: Prompt, given: Readonly<Record<string, string>>) {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(taken, name)) throw invalid(`This prompt takes no "${name}".`)
  }
  for (const [name, { isOptional }] of Object.entries(taken)) {
    if (!isOptional && !Object.hasOwn(given, name)) throw invalid(`This prompt needs "${name}".`)
  }
  return given
}
