'use client'

import {
  Button,
  ButtonLink,
  Entrance,
  type EntranceSlots,
  failureWords,
  usePaths,
  useSay,
  withReturnTo,
} from '@svc/web/account'
import { useAction, useSignOut } from '@svc/web/react'
import { usePathname, useRouter } from 'next/navigation.js'
import { type ReactNode, useState } from 'react'
import { OrganizationInvitationNotFoundError } from '../../membership/errors.ts'
import { organizationFailure } from '../acts/organization-failure.ts'
import { type InvitationOffer, organizationApi } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { useOffer } from './use-offer.ts'

interface AcceptOrganizationInvitationViewProps extends EntranceSlots {
  /** From the link; empty where it has none. */
  token: string
  /** The name of the signed-in user's account, or null. */
  signedInAs: string | null
}

/** A mailed invitation into an organization leads here. Opening it changes nothing. */
export function AcceptOrganizationInvitationView({
  token,
  signedInAs,
  ...slots
}: AcceptOrganizationInvitationViewProps) {
  const say = useOrganizationSay()
  return (
    <Entrance title={say('Invitation')} notes={<Notes />} slots={slots}>
      {token === '' ? <Over as={null} /> : <Invited token={token} as={signedInAs} />}
    </Entrance>
  )
}

function Invited({ token, as }: { token: string; as: string | null }) {
  const say = useOrganizationSay()
  const { offer, isRead, isOver } = useOffer(token)
  if (isOver) return <Over as={null} />
  if (!isRead) {
    return (
      <p role="status" className="svc-note">
        {say('Loading your invitation…')}
      </p>
    )
  }
  const words = <OfferWords offer={offer} />
  return as === null ? (
    <SignInFirst token={token}>{words}</SignInFirst>
  ) : (
    <Accept {...{ token, as }}>{words}</Accept>
  )
}

/** Which organization it is. Where that can't be read now, the user may still accept. */
function OfferWords({ offer }: { offer: InvitationOffer | null }) {
  const say = useOrganizationSay()
  if (!offer) return null
  const roles = offer.roles.map((role) => say.fromApi(role))
  return (
    <p className="svc-paragraph">
      {say.nodes('{address} is invited to {organization}, with these roles: {roles}.', {
        address: <bdi className="svc-break">{offer.emailHint}</bdi>,
        organization: <bdi className="svc-strong svc-break">{offer.organization}</bdi>,
        roles: new Intl.ListFormat(say.locale, { type: 'unit' }).format(roles),
      })}
    </p>
  )
}

/**
 * The token comes back with the user, also from a provider and in another tab: only the account of the invited address
 * can use it.
 */
function SignInFirst({ token, children }: { token: string; children: ReactNode }) {
  const say = useOrganizationSay()
  const paths = usePaths()
  const back = `${usePathname()}?${new URLSearchParams({ token })}`
  return (
    <div className="svc-stack">
      <h2 className="svc-title">{say('Sign in to accept the invitation')}</h2>
      {children}
      <p className="svc-paragraph">
        {say('Use the account with the address that the invitation was sent to.')}
      </p>
      <div className="svc-row">
        <ButtonLink look="primary" href={withReturnTo(paths.signIn, back)}>
          {say('Sign in')}
        </ButtonLink>
        <ButtonLink href={withReturnTo(paths.register, back)}>
          {say('Create an account')}
        </ButtonLink>
      </div>
    </div>
  )
}

function Accept({ token, as, children }: { token: string; as: string; children: ReactNode }) {
  const say = useOrganizationSay()
  const account = useSay()
  const { pageOf } = usePlaces()
  const router = useRouter()
  const [isOver, setOver] = useState(false)
  const accepting = useAction(async () => {
    try {
      const { slug } = await organizationApi.acceptOrganizationInvitation.call({ body: { token } })
      // The way back does not lead to a link that was used.
      router.replace(pageOf(slug))
      router.refresh()
    } catch (error) {
      if (!(error instanceof OrganizationInvitationNotFoundError)) throw error
      setOver(true)
    }
  })
  if (isOver) return <Over as={as} />
  return (
    <div className="svc-stack">
      <h2 className="svc-title">{say('You are invited to an organization')}</h2>
      {children}
      <p className="svc-paragraph">
        {say.nodes('You are signed in as {as}. Its members can see this address.', {
          as: <bdi className="svc-strong svc-break">{as}</bdi>,
        })}
      </p>
      {accepting.error !== null && (
        <p role="alert" className="svc-small svc-problem">
          {organizationFailure(say, accepting.error, (error) => failureWords(account, error))}
        </p>
      )}
      <div>
        <Button look="primary" isBusy={accepting.isRunning} onClick={() => void accepting.run()}>
          {accepting.isRunning ? say('Joining…') : say('Join')}
        </Button>
      </div>
    </div>
  )
}

/** One page for every problem with a link, so that it doesn't reveal what the link was. */
function Over({ as }: { as: string | null }) {
  const say = useOrganizationSay()
  const router = useRouter()
  // The page stays, because its address has the token.
  const signOut = useSignOut({ onSignedOut: () => router.refresh() })
  return (
    <div className="svc-stack">
      <h2 className="svc-title">{say('This invitation does not work')}</h2>
      {as !== null && (
        <>
          <p className="svc-paragraph">
            {say.nodes(
              'You are signed in as {as}. An invitation works only for the account with the address that it was sent to.',
              {
                as: <bdi className="svc-strong svc-break">{as}</bdi>,
              },
            )}
          </p>
          <div>
            <Button isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
              {say('Use another account')}
            </Button>
          </div>
        </>
      )}
      <p className="svc-paragraph">
        {say(
          'Otherwise it was used or cancelled, or has expired. Ask the person who invited you for another one.',
        )}
      </p>
    </div>
  )
}

function Notes() {
  const say = useOrganizationSay()
  return (
    <>
      <p>{say('Opening the link changes nothing. You are a member when you choose to join.')}</p>
      <p>{say('You can leave the organization at any time, under its settings.')}</p>
    </>
  )
}
