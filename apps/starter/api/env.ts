import { Resolver } from 'node:dns/promises'

/** Support sessions are off unless the variable is `code`: then each needs a code from the owner of the account. */
export function supportOptions({ SUPPORT_SESSIONS } = process.env) {
  return SUPPORT_SESSIONS === 'code' ? ({ support: { consent: 'code' } } as const) : {}
}

/**
 * The name servers that are asked for the records of domains, with commas between them. Those of the machine unless set,
 * which may not see what the world sees of a domain.
 */
export function domainOptions({ DNS_SERVERS } = process.env) {
  if (!DNS_SERVERS) return {}
  const dnsResolver = new Resolver({ timeout: 1500, tries: 2 })
  dnsResolver.setServers(DNS_SERVERS.split(',').map((server) => server.trim()))
  return { dnsResolver }
}

/** The hosts on which documents of agents may be, with commas between them. Any host unless set. */
export function agentOptions({ CLIENT_DOCUMENT_HOSTS } = process.env) {
  if (!CLIENT_DOCUMENT_HOSTS) return {}
  const hosts = CLIENT_DOCUMENT_HOSTS.split(',').map((host) => host.trim())
  return { clientDocuments: { hosts } }
}

/** Where the web app is: its pages open streams straight here. */
export function webOrigins({ NEXT_PUBLIC_SVC_APP_URL, SVC_APP_URL } = process.env) {
  const url = NEXT_PUBLIC_SVC_APP_URL ?? SVC_APP_URL ?? 'http://localhost:3790'
  // An invalid address is reported when the server starts, with all the other variables.
  if (!URL.canParse(url)) return []
  const { origin, hostname } = new URL(url)
  // People take these two for the same page, but browsers don't.
  return hostname === 'localhost' ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}
