import type { WebEnv } from '../env.ts'

/** `none` is what no page has caused. */
const ownSites = ['same-origin', 'none']

/**
 * Whether no other site has caused a request. A browser that acts by itself sends neither header; what a page makes it
 * send has one of them.
 */
export function isOwnRequest(request: Request, env: WebEnv) {
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  const origin = request.headers.get('origin')
  return (
    ownSites.includes(site) && (origin === null || ownHosts(request, env).includes(hostOf(origin)))
  )
}

function ownHosts({ url }: Request, env: WebEnv) {
  const appUrl = env.NEXT_PUBLIC_SVC_APP_URL ?? env.SVC_APP_URL
  return [new URL(url).host, ...(appUrl ? [new URL(appUrl).host] : [])]
}

/** Of `null`, which sandboxed frames send, there is none. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : '')
