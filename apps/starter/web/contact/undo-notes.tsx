export function UndoNotes() {
  return (
    <>
      <p>
        When the email or the phone number of an account changes, the old one gets this link. It
        works once, for 72 hours.
      </p>
      <p>Opening it changes nothing: mail programs open links too.</p>
    </>
  )
}
