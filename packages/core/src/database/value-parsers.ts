import { TypeOverrides, types } from 'pg'

const { INT8, DATE, TIMESTAMP, TIMESTAMPTZ } = types.builtins
const parseMoment = types.getTypeParser(TIMESTAMPTZ)

/** Parsers for the pool's own queries. Drizzle's columns have their own. */
export const valueParsers = new TypeOverrides()

/** A number as long as it is exact. */
valueParsers.setTypeParser(INT8, (text) => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
})

/** `pg` would read a moment without a zone in the zone of the process. Ours are UTC, as Drizzle's are. */
valueParsers.setTypeParser(TIMESTAMP, (text) => parseMoment(`${text}+00`))

/** A day is not a moment: as a `Date`, it would shift with the time zone of the process. */
valueParsers.setTypeParser(DATE, (text) => text)
