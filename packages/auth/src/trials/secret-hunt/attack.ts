import { dumpRows } from '../attacks/dump-tables.ts'
import type { Application } from './application.ts'
import { doors } from './doors.ts'
import { dump } from './dump.ts'
import type { Scenario } from './scenario.ts'
import type { Attacked, Victim } from './victim.ts'

/** A text that somebody finds who has everything that a server keeps, and where it was. */
export interface Find {
  readonly where: string
  readonly text: string
}

/** Every word of every row, of the cache, the log and the events: it might be a key, a hash, a token or a code. */
export async function findsIn(app: Application, scenario: Scenario): Promise<Find[]> {
  const { redis, 'commands to Redis': commands, log } = await dump(app, scenario)
  const lines = log.split('\n').map((line): unknown => JSON.parse(line))
  const words = `${redis} ${commands}`.split(/[\s"\\]+/)
  const found = [
    ...walk('', await dumpRows(app.auth.db)),
    ...walk('log', lines),
    ...walk('events', app.told),
    ...words.map((word) => ({ where: `redis ${word.replace(/[\w-]{20,}/g, '*')}`, text: word })),
  ]
  const all = found.flatMap(({ where, text }) =>
    partsOf(text).map((part) => ({
      where: part === text ? where : `part of ${where}`,
      text: part,
    })),
  )
  return [...new Map(all.map((find) => [find.text, find])).values()]
}

function* walk(where: string, value: unknown): Generator<Find> {
  if (typeof value === 'string') yield { where, text: value }
  else if (typeof value === 'number') yield { where, text: String(value) }
  else if (Array.isArray(value)) for (const each of value) yield* walk(where, each)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) yield* walk(`${where} ${name}`, each)
  }
}

/** The whole of it and its words; what stands behind a colon, a dot or an equals sign; bytes in the form of tokens. */
function partsOf(text: string): string[] {
  const parts = [text, ...text.split(/\s+/), ...text.split(/[\s:.=?&,"]+/)]
  const bytes = parts
    .filter((part) => /^(\\x)?([\da-f]{2}){16,}$/i.test(part))
    .map((part) => Buffer.from(part.replace('\\x', ''), 'hex').toString('base64url'))
  const printable = [...parts, ...bytes].filter((part) => /^[\x21-\x7e]{6,2048}$/.test(part))
  return [...new Set(printable)]
}

/** What looks as if somebody had made it at random: no name, no date and no id. */
const isOpaque = ({ text }: Find) =>
  /^(?=.*\d)(?=.*[a-zA-Z])[\w+/=$.-]{20,}$/.test(text) &&
  !/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$|^\d{4}-\d\d-\d\d|^key-|^\d*\//.test(text)

/** One from each column, and each kind of key in Redis, where something secret might be. */
export const oneOfEach = (finds: readonly Find[]) => {
  const places = /^(part of )? svc_auth\S* \S*(hash|secret|token|key|proof)|^redis/
  const kept = finds.filter((find) => isOpaque(find) && places.test(find.where))
  return [...new Map(kept.map((find) => [find.where, find])).values()]
}

// As many at once as the server hashes passwords for without turning anybody away.
const atOnce = 8

/** Tries each find at each door of a server that counts nothing. Answers what has opened. */
export async function attack(app: Application, victim: Victim, finds: readonly Find[]) {
  const attacked = await openToAttack(app)
  const opened: string[] = []
  try {
    for (const [door, { opens }] of Object.entries(doors)) {
      for (let first = 0; first < finds.length; first += atOnce) {
        app.tick()
        attacked.at.clock.set(app.clock.now())
        const tries = finds.slice(first, first + atOnce).map(async ({ where, text }) => {
          if (await opens(text, attacked, victim)) opened.push(`${where}: ${text} ${door}`)
        })
        await Promise.all(tries)
      }
    }
    return opened
  } finally {
    await attacked.at.stop()
  }
}

/** Which doors stay shut to a secret that is theirs. */
export async function shutToTheirOwn(app: Application, victim: Victim) {
  const attacked = await openToAttack(app)
  const shut: string[] = []
  try {
    for (const [door, { make, opens }] of Object.entries(doors)) {
      const secret = await make(app, victim)
      attacked.at.clock.set(app.clock.now())
      if (!(await opens(secret, attacked, victim))) shut.push(door)
    }
    return shut
  } finally {
    await attacked.at.stop()
  }
}

async function openToAttack(app: Application): Promise<Attacked> {
  const at = await app.withoutLimits()
  at.clock.set(app.clock.now())
  const call: Application['call'] = (name, body, key, given) =>
    app.call(name, body, key, { at, ...given })
  return { at, call, app }
}
