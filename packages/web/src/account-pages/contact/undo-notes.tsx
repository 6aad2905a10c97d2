import { useSay } from '../provider/account-provider.tsx'
export function UndoNotes() {
  const say = useSay()
  return (
    <>
      <p>
        {say(
          'When the email or phone number of an account changes, we send this link to the old one. It works once, within 72 hours.',
        )}
      </p>
      <p>{say('Opening the link changes nothing, because mail programs open links too.')}</p>
    </>
  )
}
