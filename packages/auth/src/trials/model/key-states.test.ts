import {
  type AsyncCommand,
  array,
  assert,
  asyncModelRun,
  asyncProperty,
  commands,
  tuple,
} from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { runs } from '../../test-env.ts'
import { keysOfTheInactive } from '../keys-of-the-inactive.ts'
import { anyIntent, commandOf, type Intent } from './commands.ts'
import { newService, type Service, startModelledAuth } from './modelled-auth.ts'
import { apply, sessionOf } from './reference.ts'
import type { Command, Model } from './state.ts'

const auth = await startModelledAuth()
afterAll(() => auth.stop())

// Long runs belong to the rigs.
const longest = runs > 20 ? 120 : 40
const options = { timeout: Math.max(120_000, runs * 3000) }
/** Ends before the test does, and then says what it had found. */
const parameters = {
  numRuns: runs,
  interruptAfterTimeLimit: options.timeout - 20_000,
  markInterruptAsFailure: true,
}

interface Run {
  model: Model
  steps: number
}

const sessionsOf = (model: Model, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, sessionOf(model, name)]))

/** What the service does next must be what the model does. Answers the command. */
async function step(run: Run, service: Service, intent: Intent) {
  const before = run.model
  const command = commandOf(before, intent, `${(run.steps += 1)}`)
  if (!command) return null
  const { after, answer } = apply(before, command)
  expect([command, await service.perform(command)]).toEqual([command, answer])
  run.model = after
  const changed = Object.keys(after.keys).filter(
    (name) => sessionOf(before, name) !== sessionOf(after, name),
  )
  expect([command, await service.sessions(changed)]).toEqual([command, sessionsOf(after, changed)])
  return `${JSON.stringify(command)} → ${answer}`
}

class Step implements AsyncCommand<Run, Service> {
  done: string | null = null
  readonly intent: Intent

  constructor(intent: Intent) {
    this.intent = intent
  }

  check() {
    return true
  }

  async run(run: Run, service: Service) {
    this.done = JSON.stringify(this.intent)
    this.done = await step(run, service, this.intent)
  }

  toString() {
    return `${this.done}`
  }
}

it(
  'R38: whatever is done in whatever order, those keys sign that sign in the model',
  options,
  async () => {
    const anyStep = anyIntent().map((intent) => new Step(intent))
    // Half as many on average.
    const steps = commands([anyStep], { maxCommands: longest, size: 'max' })
    const property = asyncProperty(steps, async (given) => {
      const service = await newService(auth)
      const run = { model: service.model, steps: 0 }
      await asyncModelRun(() => ({ model: run, real: service }), given)
      const names = Object.keys(run.model.keys)
      expect(await service.sessions(names)).toEqual(sessionsOf(run.model, names))
      expect(await keysOfTheInactive(auth.auth.db)).toEqual([])
    })
    await assert(property, parameters)
  },
)

/** What comes of the one and then of the other. */
function inOrder(before: Model, first: Command, second: Command) {
  const one = apply(before, first)
  const two = apply(one.after, second)
  return { answers: { [first.id]: one.answer, [second.id]: two.answer }, model: two.after, one }
}

const proofs = ({ accounts }: Model) =>
  Object.entries(accounts).map(([id, { generation, factorSince }]) => [id, generation, factorSince])

/** What was checked before a revocation counts for nothing after it: then the second is refused, and leaves nothing. */
function isOvertaken(before: Model, after: Model, answer: string) {
  const isVoid = JSON.stringify(proofs(before)) !== JSON.stringify(proofs(after))
  return isVoid && /^(401|403) /.test(answer)
}

/** How a device ends itself by this command; null where that is another's end. */
function ownEnd(command: Command) {
  if (command.act === 'logout' || command.act === 'endSupport') {
    return `${command.act} ${command.by}`
  }
  return command.act === 'revokeKey' && command.key === command.by
    ? `revokeKey ${command.by}`
    : null
}

/** It may do so twice, as when it did not hear the answer: then it hears the same again. */
const isTwice = (first: Command, second: Command) =>
  ownEnd(first) !== null && ownEnd(first) === ownEnd(second)

it(
  'R38: of two at once on two instances, what comes is what the one and then the other would do',
  options,
  async () => {
    const before = array(anyIntent(), { minLength: 4, maxLength: 24, size: 'max' })
    const alone = ['register', 'requestReset', 'wait', 'purge'] as const
    const pair = tuple(anyIntent(...alone), anyIntent(...alone))
    const property = asyncProperty(before, pair, async (intents, [left, right]) => {
      const service = await newService(auth)
      const run = { model: service.model, steps: 0 }
      for (const intent of intents) await step(run, service, intent)
      const { model } = run
      const first = commandOf(model, left, 'left')
      const second = commandOf(model, right, 'right')
      if (
        !first ||
        !second ||
        [first.act, second.act].some((act) => alone.includes(act as never))
      ) {
        return
      }
      const [one, two] = await Promise.all([
        service.perform(first, auth.server),
        service.perform(second, auth.second),
      ])
      const names = [...new Set([...Object.keys(model.keys), 'left', 'right'])]
      const came = { answers: { left: one, right: two }, sessions: await service.sessions(names) }
      const orders = [inOrder(model, first, second), inOrder(model, second, first)]
      const allowed = orders.flatMap(
        ({ answers, model: after, one: { after: half, answer } }, index) => {
          const late = index === 0 ? 'right' : 'left'
          const refused = { ...answers, [late]: came.answers[late] }
          const told = { left: answer, right: answer }
          const isRefused = isOvertaken(model, half, came.answers[late])
          return [
            { answers, sessions: sessionsOf(after, names) },
            ...(isRefused ? [{ answers: refused, sessions: sessionsOf(half, names) }] : []),
            ...(isTwice(first, second)
              ? [{ answers: told, sessions: sessionsOf(half, names) }]
              : []),
          ]
        },
      )
      const told = { first, second, came }
      expect(allowed.map((each) => ({ first, second, came: each }))).toContainEqual(told)
      expect(await keysOfTheInactive(auth.auth.db)).toEqual([])
    })
    await assert(property, parameters)
  },
)
