import type { Redis } from 'ioredis'

/**
 * Whether the server itself has answered with this error. Other errors come from the connection or
 * the client.
 */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

/** Asks the server for its INFO. It is empty if this user may not ask, as with some providers. */
export async function readInfo(redis: Redis) {
  const text = await redis.info().catch(unlessRefused)
  return (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]
}

function unlessRefused(error: unknown) {
  if (isReply(error)) return ''
  throw error
}
