import type { Channel } from './message.ts'

// One address, without any character that has a meaning in a header, an address list or a comment
// of RFC 5322.
const mailAddress = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u
const phoneNumber = /^\+[1-9]\d{6,14}$/

export function isMailAddress(text: string) {
  return text.length <= 254 && mailAddress.test(text)
}

/** Exactly one recipient: a list would send one person's code to another. */
export function isRecipient(channel: Channel, to: string) {
  return channel === 'mail' ? isMailAddress(to) : phoneNumber.test(to)
}

/** Enough for an operator to recognise a complaint, but not enough to write to. */
export function redactedRecipient(channel: Channel, to: string) {
  if (!isRecipient(channel, to)) return '***'
  if (channel === 'sms') return `${to.slice(0, 3)}***${to.slice(-2)}`
  const [first = ''] = to
  return `${first}***${to.slice(to.indexOf('@'))}`
}
