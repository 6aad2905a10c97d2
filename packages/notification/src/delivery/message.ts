/** A message as it leaves: what a `file:` outbox has one of in each file. */
export interface Message {
  channel: 'mail' | 'sms'
  to: string
  subject?: string
  text: string
  html?: string
  template: string
  sentAt: string
}

export type Channel = Message['channel']

/** A way out. It resolves when the message was taken over, and rejects when it was not. */
export type Transport = (message: Message) => Promise<void>
