import type { ServerEnv } from '../definition/env.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** The origins of this server from the variables. Without any, the listening address counts. */
export function configuredOrigins({ SVC_API_URL, NEXT_PUBLIC_SVC_API_URL }: ServerEnv) {
  const urls = [SVC_API_URL, NEXT_PUBLIC_SVC_API_URL].filter((url) => url !== undefined)
  return new Set(urls.map((url) => new URL(url).origin))
}

/** The listening address counts too, but in production only if no variable is set. */
export function addListeningOrigins(origins: Set<string>, url: string, { NODE_ENV }: ServerEnv) {
  if (NODE_ENV === 'production' && origins.size > 0) return
  const { origin, port } = new URL(url)
  origins.add(origin)
  for (const host of loopback) origins.add(new URL(`http://${host}:${port}`).origin)
}
