/** The place of a server, for messages. A host may be the folder of a socket. */
export function hostAndPort({ host, port }: { host: string; port: number }) {
  if (host.startsWith('/')) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
