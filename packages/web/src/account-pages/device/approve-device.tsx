'use client'

import { type FormEvent, useState } from 'react'
import {
  type Action,
  useAgentRequest,
  useDeviceApproval,
  type WaitingDevice,
} from '../../account/account.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, QuietButton, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { Field, formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { AgentAsks, AgentDecided } from './agent-request.tsx'
import { Approval, approvalFailure } from './approval.tsx'
import { DeviceName } from './device-facts.tsx'

interface ApproveDeviceViewProps extends EntranceSlots {
  code: string
  signedInAs: string
}

/** Lets another device sign in, or a program that shows a code use the account. */
export function ApproveDeviceView({ code, signedInAs, ...slots }: ApproveDeviceViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('Link a device')} notes={<Notes />} slots={slots}>
      <ApproveDevice code={code} signedInAs={signedInAs} />
    </Entrance>
  )
}

function Notes() {
  const say = useSay()
  const paths = usePaths()
  return (
    <>
      <p>
        {say(
          'On the new device, choose “Sign in with another device”. It shows a code. Enter that code here.',
        )}
      </p>
      <p>{say('A program in a terminal can show a code too.')}</p>
      <p>
        {say.nodes(
          'The device signs in as you, with its own key. You can sign it out at any time under <link>Devices</link>.',
          {
            link: (text) => <TextLink href={paths.devices}>{text}</TextLink>,
          },
        )}
      </p>
    </>
  )
}

interface ApproveDeviceProps {
  /** From the address; empty if it has none. */
  code: string
  signedInAs: string
}

/** Asks for a code, shows which program or device it is of, and decides. */
function ApproveDevice({ code, signedInAs }: ApproveDeviceProps) {
  const agent = useAgentRequest()
  const device = useDeviceApproval()
  const looking = useLooking(agent, device)
  const { found, decision } = agent.found ? agent : device
  return (
    <FocusOnChange of={found ? (decision ?? 'found') : 'code'}>
      {agent.found && <OfAgent {...agent} found={agent.found} as={signedInAs} />}
      {device.found && <OfDevice {...device} found={device.found} as={signedInAs} />}
      {!found && <AskForCode code={code} looking={looking} />}
    </FocusOnChange>
  )
}

type Agent = ReturnType<typeof useAgentRequest>
type Device = ReturnType<typeof useDeviceApproval>

/** A code doesn't say what it is of. */
function useLooking(agent: Agent, device: Device): AskForCodeProps['looking'] {
  return {
    run: async (userCode) =>
      (await agent.looking.run(userCode)) === false ? device.looking.run(userCode) : null,
    isRunning: agent.looking.isRunning || device.looking.isRunning,
    error: agent.looking.error ?? device.looking.error,
    reset() {
      agent.looking.reset()
      device.looking.reset()
    },
  }
}

interface FoundProps {
  as: string
}

type OfAgentProps = Omit<Agent, 'found'> & FoundProps & { found: NonNullable<Agent['found']> }

function OfAgent({ found, decision, allowing, denying, startOver, as }: OfAgentProps) {
  const { request } = found
  if (decision) return <AgentDecided {...{ request, decision }} onStartOver={startOver} />
  return (
    <AgentAsks
      {...{ request, as }}
      error={allowing.error ?? denying.error}
      isBusy={allowing.isRunning || denying.isRunning}
      onAllow={(owner) => void allowing.run(found, owner)}
      onDeny={() => void denying.run(found)}
      onStartOver={startOver}
    />
  )
}

type OfDeviceProps = Omit<Device, 'found'> & FoundProps & { found: NonNullable<Device['found']> }

function OfDevice({ found, decision, approving, denying, startOver, as }: OfDeviceProps) {
  const { device } = found
  if (decision) return <Decided {...{ device, decision }} onStartOver={startOver} />
  return (
    <Approval
      {...{ device, as }}
      error={approving.error ?? denying.error}
      isBusy={approving.isRunning || denying.isRunning}
      onApprove={() => void approving.run(found)}
      onDeny={() => void denying.run(found)}
      onStartOver={startOver}
    />
  )
}

interface AskForCodeProps {
  /** The code in the address of the page. */
  code: string
  looking: Action<[userCode: string], unknown>
}

/** Asks for the code that a device or a program shows. The API reads it in either case, with or without spaces and dashes. */
function AskForCode({ code, looking }: AskForCodeProps) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = formText(new FormData(event.currentTarget), 'code').trim()
    looking.reset()
    setMissing(typed ? '' : say('Enter the code that the device shows.'))
    if (typed) void looking.run(typed)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <Field
        label={say('Code')}
        name="code"
        look="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        placeholder={say('XXXX-XXXX')}
        defaultValue={code}
        hint={say('Eight letters and digits. Upper and lower case are the same.')}
        problem={missing}
      />
      <Outcome problem={looking.error ? approvalFailure(say, looking.error) : ''} />
      <Button type="submit" look="primary" isBusy={looking.isRunning}>
        {looking.isRunning ? say('Checking…') : say('Continue')}
      </Button>
    </form>
  )
}

interface DecidedProps {
  device: WaitingDevice
  decision: 'approved' | 'denied'
  onStartOver: () => void
}

/** What was decided, and a link to go on. */
function Decided({ device, decision, onStartOver }: DecidedProps) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack">
      <div role="status">
        <h2 tabIndex={-1} className="svc-title">
          {decision === 'approved' ? say('Approved') : say('Denied')}
        </h2>
        <p className="svc-small svc-above-2">
          <DeviceName device={device} />
        </p>
        <p className="svc-paragraph svc-above-2">{say(words[decision])}</p>
      </div>
      {decision === 'approved' && (
        <p className="svc-small">
          <TextLink href={paths.devices}>{say('See your devices')}</TextLink>
        </p>
      )}
      <p className="svc-small">
        <QuietButton onClick={onStartOver}>{say('Link another device')}</QuietButton>
      </p>
    </div>
  )
}

const words = {
  approved: 'The device signs in as you in a moment. You have nothing else to do.',
  denied: 'The request was denied. The device is not signed in.',
} as const
