import type { MfaStatus } from '@svc/auth'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { saveText } from '../ui/save-text.ts'
import { useCopy } from '../ui/use-copy.ts'
import { useLeaveWarning } from '../ui/use-leave-warning.ts'
import { codesFile } from './codes-file.ts'

interface Props {
  codes: readonly string[]
  account: string
  /** How it was before they were made. */
  before: MfaStatus | null
  /** They are forgotten here then. */
  onKept: () => void
}

/** Fresh recovery codes: the server keeps none that it could show again. */
export function RecoveryCodes({ codes, account, before, onKept }: Props) {
  useLeaveWarning('Leave without saving your recovery codes? You can’t see them again.')
  const { copy, ...copied } = useCopy()
  const file = () => codesFile(codes, { account, host: location.host, at: new Date() })
  return (
    <section className="grid gap-4 rounded-xl border border-edge bg-sheet p-5 sm:p-6">
      <div>
        <h2 tabIndex={-1} className="font-medium text-lg outline-none">
          Save your recovery codes
        </h2>
        <p className="mt-1 max-w-prose text-sm leading-relaxed">
          {before?.enrolled === false && 'Two-step sign-in is on now. '}
          If you lose your phone or passkey, each code signs you in once.{' '}
          <strong className="font-medium">We show them only once.</strong> Save them where you keep
          your passwords, or on paper.{' '}
          {before && before.recoveryCodesRemaining > 0 && 'Your old codes no longer work.'}
        </p>
      </div>
      <ul
        aria-label="Recovery codes"
        className="grid w-fit grid-cols-2 gap-x-8 gap-y-2 rounded-lg border border-line bg-paper px-5 py-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => saveText(file())}>Download</Button>
        <Button onClick={() => void copy(codes.join('\n'))}>Copy</Button>
      </div>
      <Outcome {...copied} />
      <div className="border-line border-t pt-5">
        <Button look="primary" onClick={onKept}>
          I have saved them
        </Button>
      </div>
    </section>
  )
}
