import type { Variable } from '@svc/core'

/** How many days acts are kept: all that are called so, or begin with it and a dot. An empty name is for all others. */
export interface DaysOfActs {
  readonly acts: string
  readonly days: number
}

/** What retention deletes: acts of this name that are older. */
export interface RetentionRule {
  readonly acts: string
  readonly before: string
}

const entryPattern = /^([a-z0-9_]+(?:\.[a-z0-9_]+)*)=([1-9]\d{0,4})$/i

/** `login=90,role=1825` */
export const daysOfActs: Variable<readonly DaysOfActs[]> = (given) => {
  if (given === undefined) return { value: [] }
  const read = given.split(',').map((entry) => entryPattern.exec(entry.trim()))
  const entries = read.filter((each) => each !== null)
  const value = entries.map(([, acts = '', days]) => ({ acts, days: Number(days) }))
  const names = new Set(value.map(({ acts }) => acts))
  return entries.length === read.length && names.size === value.length
    ? { value }
    : { problem: 'must be a list such as login=90,role=1825: the first words of acts, and days' }
}

const dayMillis = 86_400_000

export function rulesAt(
  now: Date,
  { days, ofActs }: { days: number; ofActs: readonly DaysOfActs[] },
): RetentionRule[] {
  return [{ acts: '', days }, ...ofActs].map((each) => ({
    acts: each.acts,
    before: new Date(now.getTime() - each.days * dayMillis).toISOString(),
  }))
}

const isOf = (acts: string, act: string) =>
  acts === '' || act === acts || act.startsWith(`${acts}.`)

/** The rule for an act: the one with the longest name. */
export function ruleFor(rules: readonly RetentionRule[], act: string) {
  return rules
    .filter(({ acts }) => isOf(acts, act))
    .toSorted((one, other) => other.acts.length - one.acts.length)[0]
}

/** Whether one of these lets go of a row of this act and time. */
export function isPast(
  cuts: readonly (readonly RetentionRule[])[],
  { act, at }: { act: string; at: string },
) {
  return cuts.some((rules) => {
    const rule = ruleFor(rules, act)
    return rule !== undefined && Number(at) * 1000 < Date.parse(rule.before)
  })
}

/** Whether what an earlier cut allowed, this one allows too. */
export function covers(later: readonly RetentionRule[], earlier: readonly RetentionRule[]) {
  return (
    later.length === earlier.length &&
    earlier.every((rule) =>
      later.some(({ acts, before }) => acts === rule.acts && before >= rule.before),
    )
  )
}
