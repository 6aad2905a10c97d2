import type { Redis } from 'ioredis'

/** Whether the server itself has answered with this error. Others are of the connection, or of the client. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

/** Looks up what the server says of itself. Nothing is known if this user may not ask, as with some providers. */
export async function readInfo(redis: Redis) {
  const text = await redis.info().catch(unlessRefused)
  return (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]
}

function unlessRefused(error: unknown) {
  if (isReply(error)) return ''
  throw error
}
