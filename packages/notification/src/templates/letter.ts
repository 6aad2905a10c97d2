import { actionButton, detailList, mailPage, paragraph } from './mail-page.ts'
import type { Content } from './template.ts'
import { webAddress } from './web-address.ts'

interface Letter {
  lang: string
  /** The subject too. */
  title: string
  lead: string
  details?: readonly Detail[]
  action?: { label: string; url: string }
  /** How long the action can be taken. */
  expiry?: string
  note: string
}

/** A label and its value; a value that is unknown or empty is left out. */
type Detail = readonly [name: string, value: string | undefined]

/** A message with a link or a few details in it, as text and as HTML. */
export function letter(written: Letter): Content {
  const details = (written.details ?? []).flatMap(([name, value]) =>
    !value ? [] : [[name, value] as const],
  )
  return {
    subject: written.title,
    text: textOf(written, details),
    html: htmlOf(written, details),
  }
}

type Known = readonly (readonly [name: string, value: string])[]

function textOf({ title, lead, action, expiry, note }: Letter, details: Known) {
  const parts = [
    title,
    lead,
    details.map(([name, value]) => `    ${name}: ${value}`).join('\n'),
    action && `${action.label}:\n${webAddress(action.url)}`,
    expiry,
    note,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function htmlOf({ lang, title, lead, action, expiry, note }: Letter, details: Known) {
  const body = [
    paragraph(lead),
    ...(details.length > 0 ? [detailList(details)] : []),
    ...(action ? [actionButton(action.label, action.url)] : []),
    ...(expiry === undefined ? [] : [paragraph(expiry)]),
  ]
  return mailPage({ lang, title, body, note })
}
