import type { Message } from '@svc/notification'

type Said = Pick<Message, 'text'>

export const codeIn = ({ text }: Said) => /\b\d{6}\b/.exec(text)?.[0] as string

/** The token of the link in a message. */
export const tokenIn = ({ text }: Said) => /[?&]token=([\w-]+)/.exec(text)?.[1] as string
