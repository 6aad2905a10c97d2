/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string) {
  const url = new URL(serverUrl)
  url.pathname = name
  return url.href
}
