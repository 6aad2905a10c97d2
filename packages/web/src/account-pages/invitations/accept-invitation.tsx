'use client'

import { useRouter } from 'next/navigation.js'
import { useEffect } from 'react'
import {
  type Action,
  type InvitationOffer,
  useAcceptInvitation,
  useSignOut,
} from '../../account/account.ts'
import { Failure } from '../failures/failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { useSignedIn } from '../sign-in/use-signed-in.ts'
import { registerFailure, SignInInstead } from '../sign-up/new-account.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { SetPassword } from '../ui/set-password.tsx'

interface AcceptInvitationViewProps extends EntranceSlots {
  hasToken: boolean
  signedInAs: string | null
}

/** Accepts a mailed invitation. */
export function AcceptInvitationView({
  hasToken,
  signedInAs,
  ...slots
}: AcceptInvitationViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('Invitation')} notes={<InvitationNotes />} slots={slots}>
      <AcceptInvitation hasToken={hasToken} signedInAs={signedInAs} />
    </Entrance>
  )
}

interface AcceptInvitationProps {
  hasToken: boolean
  /** The user who is signed in in this browser. */
  signedInAs: string | null
}

/** The page of a mailed invitation. */
function AcceptInvitation({ hasToken, signedInAs }: AcceptInvitationProps) {
  const paths = usePaths()
  const router = useRouter()
  const invitation = useAcceptInvitation({ hasToken, onAccepted: useSignedIn(paths.profile) })
  const { stage, offer, looking, accepting } = invitation
  // Next writes the rendered address into the history’s state, with the token. A browser may keep
  // that.
  const isRead = stage !== 'unread'
  useEffect(() => {
    if (hasToken && isRead) router.replace(paths.acceptInvitation)
  }, [hasToken, isRead, router, paths])
  return (
    <FocusOnChange of={stage === 'over' ? 'over' : signedInAs ? 'signed in' : 'offer'}>
      {stage === 'unread' && <ReadingInvitation looking={looking} />}
      {offer && stage === 'offered' && signedInAs && (
        <SignedInAlready as={signedInAs} offer={offer} />
      )}
      {offer && stage === 'offered' && !signedInAs && (
        <AcceptOffer offer={offer} accepting={accepting} />
      )}
      {stage === 'over' && <InvitationOver />}
    </FocusOnChange>
  )
}

/** Shown while the link is checked, and if that failed. */
function ReadingInvitation({ looking }: { looking: Action<[], unknown> }) {
  const say = useSay()
  if (!looking.error) {
    return (
      <p role="status" className="svc-note">
        {say('Loading your invitation…')}
      </p>
    )
  }
  return (
    <div className="svc-stack">
      <Failure of={looking.error} />
      <Button look="primary" isBusy={looking.isRunning} onClick={() => void looking.run()}>
        {looking.isRunning ? say('Loading…') : say('Try again')}
      </Button>
    </div>
  )
}

interface AcceptOfferProps {
  offer: InvitationOffer
  accepting: Action<[password: string], unknown>
}

/** The last step: the user chooses a password. */
function AcceptOffer({ offer, accepting }: AcceptOfferProps) {
  const say = useSay()
  return (
    <SetPassword
      email={offer.email}
      setting={accepting}
      label={say('Accept the invitation')}
      busyLabel={say('Accepting it…')}
      failure={(error) => registerFailure(say, error)}
      wayOn={<SignInInstead of={accepting.error} returnTo="/" />}
    >
      <OfferWords offer={offer} />
    </SetPassword>
  )
}

interface SignedInAlreadyProps {
  as: string
  offer: InvitationOffer
}

/** An invitation opens an account of its own, so the signed-in user signs out first. */
function SignedInAlready({ as, offer }: SignedInAlreadyProps) {
  const say = useSay()
  const router = useRouter()
  // The page stays, because only it has the invitation's token now.
  const signOut = useSignOut({ onSignedOut: () => router.refresh() })
  return (
    <div className="svc-stack">
      <h2 tabIndex={-1} className="svc-title">
        {say('You are already signed in')}
      </h2>
      <OfferWords offer={offer} />
      <p className="svc-paragraph">
        {say.nodes('You are signed in as {as}. Sign out first to accept the invitation.', {
          as: <bdi className="svc-strong svc-break">{as}</bdi>,
        })}
      </p>
      <Failure of={signOut.error} />
      <Button look="primary" isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
        {signOut.isRunning ? say('Signing out…') : say('Sign out and continue')}
      </Button>
    </div>
  )
}

/** One page for every problem with a link, so that it doesn't reveal what the link was. */
function InvitationOver() {
  const say = useSay()
  return (
    <div>
      <h2 tabIndex={-1} className="svc-title">
        {say('This invitation does not work')}
      </h2>
      <p className="svc-paragraph svc-above-2">
        {say(
          'Open the link in your newest invitation mail. If it does not work, the invitation was used or cancelled, or has expired. Ask the person who invited you for another one.',
        )}
      </p>
    </div>
  )
}

function InvitationNotes() {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Do you already have an account with this address? <link>Sign in</link>', {
          link: (text) => <TextLink href={paths.signIn}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say('An invitation works once. The person who sent it can cancel it or send another one.')}
      </p>
      <p>
        {say(
          'Opening the link changes nothing. Your account is created when you choose a password.',
        )}
      </p>
    </>
  )
}

/** The invited address and the role. */
function OfferWords({ offer }: { offer: InvitationOffer }) {
  const say = useSay()
  const format = new Intl.DateTimeFormat(say.dateLocale, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <p className="svc-paragraph">
      {say.nodes(
        '{email} is invited to create an account here, as {role}. The invitation expires on {day}.',
        {
          email: <bdi className="svc-strong svc-break">{offer.email}</bdi>,
          role: <bdi className="svc-strong">{say.fromApi(offer.roleDisplayName)}</bdi>,
          day: format.format(new Date(offer.expiresAt)),
        },
      )}
    </p>
  )
}
