import { Html, html } from '@svc/core/html'
import { pageStyle } from './page-style.ts'

interface Page {
  status: number
  title: string
  /** HTML. */
  body: string
  cookie?: string
}

/** A page that stands alone: nothing is loaded, nothing runs, nobody frames it, no cache keeps it. */
export async function pageAnswer({ status, title, body, cookie }: Page) {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>${new Html(body)}</body>
</html>
`.toString()
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': await contentSecurityPolicy(document),
    // The page's address has the token in it. The document says so too, because a host may set headers of its own.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'Cookie',
  })
  if (cookie) headers.append('set-cookie', cookie)
  return new Response(document, { status, headers })
}

async function contentSecurityPolicy(document: string) {
  const styles = [...document.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style)
  const hashes = await Promise.all(styles.map(hashSource))
  return [
    `default-src 'none'`,
    `style-src ${hashes.join(' ')}`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

async function hashSource(style: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}
