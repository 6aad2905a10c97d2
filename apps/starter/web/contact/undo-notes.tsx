export function UndoNotes() {
  return (
    <>
      <p>
        When the email or phone number of an account changes, we send this link to the old one. It
        works once, within 72 hours.
      </p>
      <p>Opening the link changes nothing, because mail programs open links too.</p>
    </>
  )
}
