import { html } from '@svc/core/html'
import { returnPath } from '../page/client.ts'
import { pageAnswer } from '../page/page.ts'
import { boundSessionPaths } from './paths.ts'
import type { Visit } from './visit.ts'

interface Way {
  readonly loginPath: string
  readonly returnTo?: string | undefined
}

/** Where a page sends a browser whose session has no valid proof. */
export function resumePath({ loginPath, returnTo = '/' }: Way) {
  return `${boundSessionPaths.resume}?${new URLSearchParams({ loginPath, returnTo })}`
}

/**
 * For a page that a link of another site has opened, a browser gets no proof, so that the site
 * can't time it. So this page opens itself again: then the request comes from our own origin.
 */
export async function resume({ web, request }: Visit) {
  const { searchParams } = new URL(request.url)
  const given = (name: string) => returnPath(searchParams.get(name) ?? undefined)
  const way = { loginPath: given('loginPath'), returnTo: given('returnTo') }
  if (!searchParams.has('again')) return onceMore(`${resumePath(way)}&again=`)
  const opened = await web.sessions.open(request.headers.get('cookie'))
  const isBack = opened && !web.retired.has(opened.session.keyId)
  // Only a proved browser goes back. Otherwise the two pages would redirect a browser without the
  // key to each other for ever.
  return seeOther(isBack ? way.returnTo : signInPath(way))
}

function signInPath({ loginPath, returnTo = '/' }: Way) {
  return `${loginPath}?${new URLSearchParams({ returnTo })}`
}

async function onceMore(location: string) {
  const body = html`<p><a href="${location}">Continue</a></p>`.toString()
  const page = await pageAnswer({ status: 200, title: 'One moment', body })
  page.headers.set('refresh', `0;url=${location}`)
  return page
}

function seeOther(location: string) {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
