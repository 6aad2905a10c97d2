import { actionButton, type Detail, detailList, mailContent, paragraph } from './mail-page.ts'

interface Letter {
  lang: string
  /** It is also the subject. */
  title: string
  lead: string
  details?: readonly Detail[]
  action?: { label: string; url: string }
  /** How long the link works. */
  expiry?: string
  note: string
}

/** A message with a link or some details. */
export function letter({ lang, title, lead, details = [], action, expiry, note }: Letter) {
  const body = [
    paragraph(lead),
    detailList(details),
    ...(action ? [actionButton(action.label, action.url)] : []),
    ...(expiry === undefined ? [] : [paragraph(expiry)]),
  ]
  return mailContent({ lang, title, body, note })
}
