import { html } from '@svc/core/html'
import type { Message } from '../delivery/delivery.ts'
import { channelOf, shortTime, titleOf } from './draw-list.ts'
import { mailboxPage } from './mailbox-page.ts'

/** One message: as a mail program shows it, and its text version. */
export function drawMessage(message: Message) {
  const title = titleOf(message)
  const body = html`<a href="/_ops/mailbox">All messages</a>
<dl>
<dt>${channelOf(message)} to</dt><dd>${message.to}</dd>
<dt>Sent</dt><dd>${shortTime(message)}</dd>
<dt>Template</dt><dd>${message.template}</dd>
</dl>
<h1>${title}</h1>
${message.html === undefined ? '' : drawFrame(message.html)}
<h2>Text</h2>
<pre>${linked(message.text)}</pre>`
  return mailboxPage({ title, body })
}

/** Sandboxed: no script in it runs, it has no origin, and its links open in a new tab. */
function drawFrame(markup: string) {
  return html`<h2>HTML</h2>
<iframe title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${markup}`}"></iframe>`
}

/** Text whose web addresses are links. Every second piece of the split is an address. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((piece, index) => (index % 2 === 1 ? drawLink(piece) : html`${piece}`))
}

function drawLink(url: string) {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>`
}
