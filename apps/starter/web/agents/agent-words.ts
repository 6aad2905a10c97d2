const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/

/** Where an agent’s answers go: an app has the scheme of its own in place of a host, with the colon. */
export function placeOfAgent(redirectHost: string) {
  if (redirectHost.endsWith(':')) return `An app (${redirectHost.slice(0, -1)})`
  return loopback.test(redirectHost) ? 'A program on your computer' : redirectHost
}

export function countOfAgents(count: number) {
  if (count === 0) return 'No connected agents'
  return count === 1 ? '1 connected agent' : `${count} connected agents`
}
