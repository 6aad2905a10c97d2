/** A message as it is sent. Each file of a `file:` outbox contains one. */
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

/** Sends messages. It resolves when the message was taken over, and rejects when it was not. */
export type Transport = (message: Message) => Promise<void>
