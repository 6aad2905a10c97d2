import { runningAuth } from '../auth.ts'

const toOwner = ({ userId }: { userId: string }) => userId

const recipients = {
  supportOpenedEvent: toOwner,
  supportEndedEvent: toOwner,
  keyRevokedEvent: toOwner,
  approvalChangedEvent: toOwner,
}

/**
 * For `auth` of the streams that carry `ownerEvents`: each event goes to the owner of the account that it is about, on
 * the devices where the owner is signed in. An operator in a support session reads no list of devices, and hears
 * nothing of them either; nor does a machine.
 */
export const toOwners = {
  recipients,
  async authorize(_subject: string, events: string[], credential = ''): Promise<string[]> {
    const others = events.filter((name) => !Object.hasOwn(recipients, name))
    if (others.length === events.length) return events
    const key = await runningAuth().callers(credential)
    return key?.kind === 'device' ? events : others
  },
}
