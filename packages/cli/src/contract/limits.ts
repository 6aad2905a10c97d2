import type { Pair, Schema } from './bundle.ts'

const upper = new Set(['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'])
const lower = new Set(['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'])
// Keywords that are compared in another way, and words.
const noLimits = new Set([
  ...'type enum const anyOf oneOf required properties patternProperties items prefixItems'.split(
    ' ',
  ),
  ...'title description examples default deprecated $comment'.split(' '),
])

/** New limits of a schema: `maxLength is now 10; it was 20`. */
export function tighterLimits({ before, now }: Pair<Schema>): string[] {
  const keywords = Object.keys(now).filter((keyword) => !noLimits.has(keyword))
  return keywords
    .filter((keyword) => isTighter(keyword, before[keyword], now[keyword]))
    .map((keyword) => `has ${keyword} ${said(now[keyword])}; it had ${said(before[keyword])}`)
}

/** Values that are not numbers can't be compared, so any change counts as tighter. */
function isTighter(keyword: string, before: unknown, now: unknown) {
  if (before === undefined) return now !== true
  if (upper.has(keyword)) return Number(now) < Number(before)
  if (lower.has(keyword)) return Number(now) > Number(before)
  return JSON.stringify(before) !== JSON.stringify(now)
}

function said(limit: unknown) {
  return limit === undefined ? 'none' : JSON.stringify(limit)
}
