import type { Say } from '../words/say.ts'

const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/

/** Where an agent’s answers go: an app has the scheme of its own in place of a host, with the colon. */
export function placeOfAgent(say: Say, redirectHost: string) {
  if (redirectHost.endsWith(':'))
    return say('An app ({slice})', { slice: redirectHost.slice(0, -1) })
  return loopback.test(redirectHost) ? say('A program on your computer') : redirectHost
}

export function countOfAgents(say: Say, count: number) {
  if (count === 0) return say('No connected agents')
  return count === 1 ? say('1 connected agent') : say('{count} connected agents', { count })
}
