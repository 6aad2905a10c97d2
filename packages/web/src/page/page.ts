import { HttpError } from '@svc/core/client'
import { Html, html } from '@svc/core/html'
import { readBytes } from '../proxy/proxy.ts'

interface Page {
  status: number
  /** English unless given. */
  lang?: string
  title: string
  /** HTML. */
  body: string
  cookie?: string
}

/**
 * A page that stands alone: it loads nothing, runs no script, and no page frames it and no cache
 * keeps it.
 */
export async function pageAnswer({ status, lang = 'en', title, body, cookie }: Page) {
  const document = html`<!doctype html>
<html lang="${lang}">
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
    // The page's address contains the token. The document says so too, because a host may set
    // headers of its own.
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

const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: oklch(0.977 0.006 95);
  --sheet: oklch(0.997 0.002 95);
  --ink: oklch(0.24 0.02 160);
  --faded: oklch(0.49 0.018 160);
  --line: oklch(0.89 0.01 120);
  --accent: oklch(0.46 0.095 162);
  --on-accent: oklch(0.99 0.005 160);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: oklch(0.19 0.012 165);
    --sheet: oklch(0.235 0.014 165);
    --ink: oklch(0.93 0.008 120);
    --faded: oklch(0.71 0.016 150);
    --line: oklch(0.33 0.016 165);
    --accent: oklch(0.77 0.12 162);
    --on-accent: oklch(0.19 0.03 165);
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100dvh;
  padding: clamp(1.25rem, 12vh, 7rem) 1.25rem 3rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif;
  -webkit-font-smoothing: antialiased;
}
main {
  display: grid;
  gap: 1.25rem;
  max-width: 34rem;
  margin: 0 auto;
  padding: clamp(1.5rem, 6vw, 2.5rem);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--sheet);
}
h1 {
  font: 400 clamp(1.75rem, 7vw, 2.25rem)/1.15 "Iowan Old Style", "Palatino Linotype", Palatino,
    "URW Palladio L", ui-serif, Georgia, serif;
  letter-spacing: -0.025em;
  text-wrap: balance;
}
p { text-wrap: pretty; }
small { display: block; color: var(--faded); font-size: 0.875rem; }
a { color: var(--accent); text-underline-offset: 0.25em; }
button {
  padding: 0.625rem 1.25rem;
  border: 0;
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 500;
  cursor: pointer;
}
button:hover { opacity: 0.9; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
@media (max-width: 30rem) {
  button { width: 100%; }
}
@media (forced-colors: active) {
  button { border: 1px solid; }
}
`

export interface Place {
  request: Request
  isSecure: boolean
}

interface Given {
  value: string
  maxAgeSeconds: number
  sameSite: 'Strict' | 'Lax'
  /** Only a server can set a cookie that scripts can't read. */
  isSetBy?: 'server' | 'script'
}

/** A cookie for this page only. */
export function pageCookie(
  { request, isSecure }: Place,
  name: string,
  { value, maxAgeSeconds, sameSite, isSetBy = 'server' }: Given,
) {
  // In a path, `;` is a character like any other, but here it would begin an attribute.
  const path = new URL(request.url).pathname.replaceAll(';', '%3B')
  const hidden = isSetBy === 'server' ? '; HttpOnly' : ''
  const flags = `Path=${path}${hidden}; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return `${pageCookieName(isSecure, name)}=${value}; Max-Age=${maxAgeSeconds}; ${flags}`
}

/**
 * The prefix `__Host-` requires a cookie for the whole host. Browsers accept `__Secure-` over https
 * only.
 */
export function pageCookieName(isSecure: boolean, name: string) {
  return isSecure ? `__Secure-${name}` : name
}

/** The fields of a page's form. Another kind of body has none. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request))
}

async function readText(request: Request) {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type)) return ''
  try {
    return new TextDecoder().decode(await readBytes(request))
  } catch (error) {
    if (error instanceof HttpError) return ''
    throw error
  }
}

/**
 * Whether a page of this origin has sent the request, according to the browser. A sibling host of
 * the domain can plant a cookie, but can't send this header.
 */
export function isSentByOwnPage({ headers }: Request) {
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  return site === 'same-origin'
}
