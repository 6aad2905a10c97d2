/**
 * Others post messages on the channel of a thread, too: `node --watch` tells there which files were loaded. So ours say
 * what they are about and which question they belong to, and all else is passed over.
 */
export interface ThreadMessage {
  readonly svc: 'hash' | 'signatures'
  readonly id: number
}

/** Whether it is one of ours and has what its reader takes out of it. */
export function isThreadMessage<Message extends ThreadMessage>(
  given: unknown,
  svc: Message['svc'],
  has: (content: { readonly [Name in keyof Message]?: unknown }) => boolean,
): given is Message {
  if (typeof given !== 'object' || given === null) return false
  const { svc: topic, id } = given as Partial<ThreadMessage>
  return topic === svc && Number.isSafeInteger(id) && has(given)
}
