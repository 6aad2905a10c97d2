/**
 * The reports of the API's process: a file of the application that it has loaded, or a package that
 * it uses.
 */
export type Report = { svc: 'file'; path: string } | { svc: 'package'; url: string }

/** The orders to it: first to load packages, and then to load the application. */
export type Order = { svc: 'load'; packages: string[] } | { svc: 'start' }

/** Others may send messages on the same channel. */
export function isReport(message: unknown): message is Report {
  const { svc, path, url } = membersOf(message)
  return (svc === 'file' && isText(path)) || (svc === 'package' && isText(url))
}

export function isOrder(message: unknown): message is Order {
  const { svc, packages } = membersOf(message)
  return svc === 'start' || (svc === 'load' && Array.isArray(packages) && packages.every(isText))
}

const isText = (given: unknown) => typeof given === 'string'

function membersOf(message: unknown): Readonly<Record<string, unknown>> {
  return typeof message === 'object' && message !== null ? { ...message } : {}
}
