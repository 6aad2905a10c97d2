/**
 * The values that a test is run with: all of them in `npm run test:long`, and in `npm test` so few, evenly chosen, the
 * first among them. A file that calls this is in `withFewValues` of vitest.config.ts.
 */
export function orFew<Value>(values: readonly Value[], few = 1): Value[] {
  if (process.env['SVC_TEST_VALUES'] === 'all' || values.length <= few) return [...values]
  return Array.from(
    { length: few },
    (_, at) => values[Math.floor((at * values.length) / few)],
  ) as Value[] // none is beyond the last
}
