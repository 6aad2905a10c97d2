'use client'

import { useMfaStatus, usePasskeys } from '@svc/web/react'
import { BindingPanel } from '../binding/binding-panel.tsx'
import { countOfPasskeys } from '../passkeys/passkey-words.ts'
import { methodsInWords } from '../second-factor/status-words.ts'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** What signing in takes besides a password, and what it takes to stay signed in. */
export function SignInPanels() {
  const { passkeys } = usePasskeys()
  const { status } = useMfaStatus()
  return (
    <>
      <Panel
        title="Passkeys"
        about="Sign in with your fingerprint, your face or your screen lock instead of a password."
      >
        <p className="text-sm">
          {passkeys &&
            `You have ${passkeys.length > 0 ? countOfPasskeys(passkeys.length) : 'none yet'}. `}
          <TextLink href="/account/security/passkeys">Your passkeys</TextLink>
        </p>
      </Panel>
      <Panel
        title="Two-step sign-in"
        about="On a new device, you need your password and a second step: a code from an app, or a passkey."
      >
        <p className="text-sm">
          {status &&
            (status.enrolled
              ? `It is on, with ${methodsInWords(status.methods)}. `
              : 'It is off. ')}
          <TextLink href="/account/security/two-step">Your second step</TextLink>
        </p>
      </Panel>
    </>
  )
}

/** Whoever copies a bound session has little of it. */
export function SessionBindingPanel({ keyExpiresAtMillis }: { keyExpiresAtMillis?: number }) {
  return (
    <Panel
      title="Bind this session to a passkey"
      about="The session’s key then expires within hours instead of months, and you renew it with your passkey, about once a day. An attacker who copies the session can use it for hours at most."
    >
      {/* A key that was replaced ends at another time. */}
      <BindingPanel key={keyExpiresAtMillis} />
    </Panel>
  )
}
