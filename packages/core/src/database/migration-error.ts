/** A migration that cannot be applied. The message names the file, and the place in it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'

  static at({ source, name, sql }: { source: string; name: string; sql: string }, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new MigrationError(`${source}/${name}${placeIn(sql, cause)}: ${reason}`, { cause })
  }
}

/** PostgreSQL counts characters from 1. Failures at run time, such as a duplicate row, have no position. */
function placeIn(sql: string, cause: unknown) {
  if (!(cause instanceof Error && 'position' in cause && cause.position)) return ''
  const before = Array.from(sql)
    .slice(0, Number(cause.position) - 1)
    .join('')
    .split('\n')
  return `:${before.length}:${(before.at(-1) ?? '').length + 1}`
}
