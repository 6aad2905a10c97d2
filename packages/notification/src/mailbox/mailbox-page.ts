import { type Html, html } from '@svc/core/html'
import { lookAgainSource } from './look-again.ts'

interface Page {
  title: string
  body: Html
}

/**
 * The headers of every page of the mailbox. No script of a message runs in it, no page frames it, no cache keeps it, and
 * no link sends its address along.
 */
export const pageHeaders = {
  'cache-control': 'no-store',
  // A mail's frame has this policy too. It may have styles and images, as in a mail program.
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The same for the list: its own script runs, and asks this server. */
export const listHeaders = {
  ...pageHeaders,
  'content-security-policy': `${pageHeaders['content-security-policy']}; script-src ${lookAgainSource}; connect-src 'self'`,
}

export function mailboxPage({ title, body }: Page) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark; --ink: #16181d; --quiet: #5f6570; --line: #e2e4e9; --ground: #f3f4f6; --sheet: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f2f3f5; --quiet: #a3a9b3; --line: #30333a; --ground: #121316; --sheet: #1c1e22; }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0 0 1rem; color: var(--quiet); font-size: .875rem; }
.again { padding: .375rem .875rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; color: var(--ink); font-weight: 600; text-decoration: none; }
.again:hover { border-color: var(--quiet); }
a:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
li a:focus-visible { outline-offset: -2px; }
p { margin: 0 0 1.5rem; color: var(--quiet); }
a { color: inherit; }
ul, pre, iframe, .empty { box-sizing: border-box; width: 100%; margin: 0; background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; }
ul { padding: 0; list-style: none; overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
li a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; padding: .75rem 1.25rem; text-decoration: none; }
li a:hover, li a:focus-visible { background: var(--ground); }
li span { color: var(--quiet); font-size: .875rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
li strong { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media (max-width: 36rem) {
  li a { grid-template-columns: minmax(0, 1fr); }
}
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { padding: 1.25rem; font: 14px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { display: block; height: 44rem; max-height: 80vh; resize: vertical; }
.empty { padding: 3rem 1.25rem; text-align: center; color: var(--quiet); }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.toString()
}
