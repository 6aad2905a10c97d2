/** What the API's process says of itself: a file of the application that it is made of, or a package that it uses. */
export type Report = { svc: 'file'; path: string } | { svc: 'package'; url: string }

/** What it is told: to load packages ahead, and then to load the application. */
export type Order = { svc: 'load'; packages: string[] } | { svc: 'start' }

/** Others may send messages on the same channel. */
export function isReport(message: unknown): message is Report {
  return isOneOf(message, ['file', 'package'])
}

export function isOrder(message: unknown): message is Order {
  return isOneOf(message, ['load', 'start'])
}

function isOneOf(message: unknown, kinds: readonly string[]) {
  if (typeof message !== 'object' || message === null || !('svc' in message)) return false
  return kinds.some((kind) => kind === message.svc)
}
