import { Html, html } from '@svc/core/html'
import type { Message } from '../delivery/delivery.ts'
import { lookAgain } from './look-again.ts'
import { mailboxPage } from './mailbox-page.ts'
import type { Kept } from './outbox.ts'

/** The messages, newest first. A script looks for new ones; without it, there is a link. */
export function drawList(kept: readonly Kept[]) {
  const list = kept.length === 0 ? empty : html`<ul>${kept.map(drawItem)}</ul>`
  const body = html`<h1>Mailbox</h1>
<p>The messages this server would have sent. In development, they are kept as files and not sent.</p>
<div class="bar"><a class="again" href="/_ops/mailbox">Look again</a><span id="news" role="status"></span></div>
<div id="messages">${list}</div>
<script>${new Html(lookAgain)}</script>`
  return mailboxPage({ title: 'Mailbox', body })
}

const empty = html`<div class="empty">No message yet. Codes, links and notices show here as they are sent:<br>
sign up or ask for a code, and look again.</div>`

function drawItem({ name, message }: Kept) {
  return html`<li><a href="/_ops/mailbox/${encodeURIComponent(name)}">
<strong>${titleOf(message)}</strong><span>${shortTime(message)}</span>
<span>${channelOf(message)} to ${message.to}</span><span>${message.template}</span>
</a></li>
`
}

/** A text message has no subject. */
export function titleOf({ subject, text }: Message) {
  return subject ?? text.split('\n', 1)[0] ?? ''
}

export function channelOf({ channel }: Message) {
  return channel === 'sms' ? 'Text message' : 'Mail'
}

/** `2026-03-01 12:00:00 UTC` of `2026-03-01T12:00:00.000Z`. */
export function shortTime({ sentAt }: Message) {
  return sentAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}
