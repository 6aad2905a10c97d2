import type { OAuth2GrantItem } from '@svc/auth'
import type { Say } from '../words/say.ts'

/** Asks before an agent is disconnected, and says what could connect it again. */
export function questionAbout(
  say: Say,
  { clientName, issuer }: Pick<OAuth2GrantItem, 'clientName' | 'issuer'>,
  through: string | undefined,
) {
  if (through !== undefined) {
    return say(
      'Disconnect {clientName}? It gets access again if {through} calls it. To prevent that, disconnect {through}.',
      { clientName, through },
    )
  }
  return issuer === undefined
    ? say(
        'Disconnect {clientName}? It can no longer use your account. You can allow it again later.',
        { clientName },
      )
    : say('Disconnect {clientName}? Your company can allow it again, at {issuer}.', {
        clientName,
        issuer: hostOf(issuer),
      })
}

/** Says which identity provider has allowed an agent. */
export const allowedBy = (say: Say, issuer: string) =>
  say('Your company allowed it, at {issuer}.', { issuer: hostOf(issuer) })

const hostOf = (issuer: string) => new URL(issuer).host
