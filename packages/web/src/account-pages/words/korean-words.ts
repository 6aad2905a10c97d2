import type { AccountWords } from './account-words.ts'

/**
 * Korean for the pages that mails lead to, as the mails themselves have it: sign-in, codes, links, invitations and
 * support sessions.
 */
export const koreanWords: AccountWords = {
  'It was used, has expired, or is incomplete. Under Security you see whether you have a second step.':
    '이미 사용되었거나 만료되었거나 완전하지 않습니다. 보안에서 2단계 인증이 있는지 확인할 수 있습니다.',
  'Keep it': '삭제하지 않기',
  'Keep your second step': '2단계 인증 유지',
  'Keeping it…': '유지하는 중…',
  'Someone else asked in your name, and may know your password. Set <link>a new password</link>.':
    '다른 사람이 회원님의 이름으로 요청했으며 비밀번호를 알고 있을 수 있습니다. <link>새 비밀번호</link>를 설정해 주세요.',
  'Support was asked to remove a second step of your sign-in. It goes on {time}, unless you keep it.':
    '로그인의 2단계 인증을 삭제해 달라는 요청이 고객 지원에 접수되었습니다. 유지하지 않으면 {time}에 삭제됩니다.',
  'Support was asked to remove a second step of your sign-in. You can keep it. If you asked for it, close this page.':
    '로그인의 2단계 인증을 삭제해 달라는 요청이 고객 지원에 접수되었습니다. 삭제하지 않을 수 있습니다. 직접 요청하셨다면 이 페이지를 닫아 주세요.',
  'Your second step stays': '2단계 인증이 유지됩니다',
  '{count} minutes': '{count}분',
  '{email} is yours. <link>Use another address</link>':
    '{email} 주소를 확인했습니다. <link>다른 주소 사용</link>',
  '{seconds} seconds': '{seconds}초',
  '1 second': '1초',
  'A code for support': '고객 지원용 코드',
  'A code has six digits.': '코드는 여섯 자리 숫자입니다.',
  'Accept the invitation': '초대 수락',
  'Accepting it…': '수락하는 중…',
  'Account not deleted? <link>Sign in</link>': '계정을 삭제하지 않았나요? <link>로그인</link>',
  'All {count} devices are signed out.': '기기 {count}대에서 모두 로그아웃되었습니다.',
  'Already have an account? <link>Sign in</link>': '이미 계정이 있나요? <link>로그인</link>',
  'An invitation works once. The person who sent it can cancel it or send another one.':
    '초대는 한 번만 쓸 수 있습니다. 보낸 사람이 취소하거나 다시 보낼 수 있습니다.',
  Cancel: '취소',
  'Check your mail': '메일을 확인하세요',
  'Checking the link…': '링크를 확인하는 중…',
  'Checking…': '확인하는 중…',
  'Choose a password.': '비밀번호를 정하세요.',
  'Choose another one.': '다른 비밀번호를 정하세요.',
  Code: '코드',
  Continue: '계속',
  'Continue with {provider}': '{provider}로 계속',
  'Copied.': '복사했습니다.',
  Copy: '복사',
  'Create account': '계정 만들기',
  'Create an account': '계정 만들기',
  'Creating…': '만드는 중…',
  Email: '이메일',
  'End session': '세션 종료',
  'End the support session of {name}? They can no longer use your account.':
    '{name} 님의 고객 지원 세션을 종료할까요? 더 이상 회원님의 계정을 사용할 수 없습니다.',
  'Enter a valid email address.': '올바른 이메일 주소를 입력하세요.',
  'Enter the email of your account. We send a link there.':
    '계정의 이메일을 입력하세요. 그 주소로 링크를 보냅니다.',
  'Enter your email and your password.': '이메일과 비밀번호를 입력하세요.',
  'Enter your email.': '이메일을 입력하세요.',
  'Forgot your password?': '비밀번호를 잊으셨나요?',
  'Forgotten password': '비밀번호 찾기',
  'Give a code only to support that you contacted yourself. If someone calls you and asks for a code, don’t tell them one.':
    '직접 문의한 고객 지원에만 코드를 알려 주세요. 누군가 전화로 코드를 물어보면 알려 주지 마세요.',
  Hide: '숨기기',
  'Hide what is typed': '입력한 내용 숨기기',
  'If you already have an account, the message tells you so.':
    '이미 계정이 있으면 메일에서 알려 드립니다.',
  Invitation: '초대',
  'It has expired.': '만료되었습니다.',
  'It has fewer than 8 characters.': '8자보다 짧습니다.',
  'It has more than 256 characters.': '256자보다 깁니다.',
  'It is in a public list of leaked passwords.': '유출된 비밀번호 목록에 있습니다.',
  'It is not safe enough.': '충분히 안전하지 않습니다.',
  'It is too easy to guess.': '추측하기 쉽습니다.',
  'It is your email or your username.': '이메일이나 사용자 이름과 같습니다.',
  'It no longer works. For another session, support needs a new code.':
    '이 코드는 더 이상 쓸 수 없습니다. 다시 접속하려면 고객 지원에 새 코드가 필요합니다.',
  'It was used or has expired, or we sent a newer one. Request another link:':
    '이미 사용했거나 만료되었거나 더 새로운 링크를 보냈습니다. 링크를 다시 요청하세요:',
  'It works once, and expires in {time}.': '한 번만 쓸 수 있으며 {time} 후에 만료됩니다.',
  'Let support use your account?': '고객 지원이 계정을 사용하도록 할까요?',
  'Loading your invitation…': '초대를 불러오는 중…',
  'Loading…': '불러오는 중…',
  'New here? <link>Create an account</link>': '처음이신가요? <link>계정 만들기</link>',
  'New password': '새 비밀번호',
  'No account has this email. Create one first.':
    '이 이메일을 쓰는 계정이 없습니다. 먼저 계정을 만드세요.',
  'No device was signed in.': '로그인된 기기가 없었습니다.',
  'No keyboard, or no password? <link>Sign in with another device</link>':
    '키보드나 비밀번호가 없나요? <link>다른 기기로 로그인</link>',
  'No message? Check your spam folder.': '메일이 오지 않았나요? 스팸함을 확인하세요.',
  Notes: '안내',
  'One device is signed out.': '기기 한 대에서 로그아웃되었습니다.',
  'Open the link in your mail, or request another one:': '메일의 링크를 열거나 다시 요청하세요:',
  'Open the newest mail': '가장 최근 메일을 여세요',
  'Opening {provider}…': '{provider} 여는 중…',
  or: '또는',
  Password: '비밀번호',
  'Remember your password? <link>Sign in</link>': '비밀번호가 기억나나요? <link>로그인</link>',
  'Restore my account': '계정 복구',
  'Restore the email': '이메일 되돌리기',
  'Restore your account': '계정 복구',
  'Restoring it…': '되돌리는 중…',
  'Restoring…': '복구하는 중…',
  'Saving…': '저장하는 중…',
  'Send another code': '코드 다시 보내기',
  'Send another link': '링크 다시 보내기',
  'Send code': '코드 보내기',
  'Send link': '링크 보내기',
  'Sending…': '보내는 중…',
  'Set password': '비밀번호 설정',
  Show: '보기',
  'Show a code': '코드 보기',
  'Show a new code': '새 코드 보기',
  'Show what is typed': '입력한 내용 보기',
  'Sign in': '로그인',
  'Sign in instead': '로그인하기',
  'Sign in with a passkey': '패스키로 로그인',
  'Sign out': '로그아웃',
  'Signing in…': '로그인하는 중…',
  'Signing out…': '로그아웃하는 중…',
  Support: '고객 지원',
  'Support can use your account for up to an hour, if you give them a code.':
    '코드를 알려 주면 고객 지원이 최대 한 시간 동안 계정을 사용할 수 있습니다.',
  'Support can use your account. This ends {minutes}.':
    '고객 지원이 계정을 사용할 수 있습니다. {minutes}에 끝납니다.',
  'Support is signed in to your account until {time}.':
    '고객 지원이 {time}까지 회원님의 계정에 로그인해 있습니다.',
  'Support is signed in to your account: <strong>{name}</strong>, until {time}.':
    '고객 지원(<strong>{name}</strong>)이 {time}까지 회원님의 계정에 로그인해 있습니다.',
  'Support session': '고객 지원 세션',
  'Support used your code': '고객 지원이 코드를 사용했습니다',
  'Tell this code only to the support agent you are talking to':
    '지금 상담 중인 고객 지원 담당자에게만 이 코드를 알려 주세요',
  'That took too long. Send another code.': '시간이 지났습니다. 코드를 다시 보내세요.',
  'The API does not answer right now. Try again in a moment.':
    '지금은 서버가 응답하지 않습니다. 잠시 후 다시 시도하세요.',
  'The email or the password is wrong.': '이메일 또는 비밀번호가 틀렸습니다.',
  'The support session is over.': '고객 지원 세션이 종료되었습니다.',
  'The support session of {name} is over.': '{name} 님의 고객 지원 세션이 종료되었습니다.',
  'They can see and change what you can see and change here.':
    '회원님이 여기서 보고 바꿀 수 있는 것을 보고 바꿀 수 있습니다.',
  'They can’t change your password, your passkeys, your second step, your email or your devices.':
    '비밀번호, 패스키, 2단계 인증, 이메일, 기기는 바꿀 수 없습니다.',
  'They can’t download your data, and can’t delete your account.':
    '데이터를 내려받거나 계정을 삭제할 수 없습니다.',
  'This account is going to be deleted.': '이 계정은 삭제될 예정입니다.',
  'This account is suspended.': '이 계정은 정지되었습니다.',
  'This browser can’t use passkeys. Sign in another way.':
    '이 브라우저에서는 패스키를 쓸 수 없습니다. 다른 방법으로 로그인하세요.',
  'This code is wrong or has expired. Request a new one.':
    '코드가 틀렸거나 만료되었습니다. 새 코드를 요청하세요.',
  'This email already has an account.': '이 이메일을 쓰는 계정이 이미 있습니다.',
  'This invitation does not work': '이 초대는 쓸 수 없습니다',
  'This link does not work': '이 링크는 쓸 수 없습니다',
  'This link no longer works': '이 링크는 더 이상 쓸 수 없습니다',
  'This page needs a link': '이 페이지에는 링크가 필요합니다',
  'This page was open for too long. Try again.':
    '페이지를 너무 오래 열어 두었습니다. 다시 시도하세요.',
  'Too many tries. Try again in {time}.': '시도가 너무 많습니다. {time} 후에 다시 시도하세요.',
  'Try again': '다시 시도',
  'Undo a change': '변경 되돌리기',
  'Use 8 to 256 characters. Don’t choose a common password.':
    '8자에서 256자까지 쓰세요. 흔한 비밀번호는 피하세요.',
  'Use another address': '다른 주소 사용',
  'Waiting for your passkey…': '패스키를 기다리는 중…',
  'Waiting…': '기다리는 중…',
  'Was this not you?': '본인이 아니었나요?',
  'Ways to create an account': '계정을 만드는 방법',
  'Ways to restore an account': '계정을 복구하는 방법',
  'Ways to sign in': '로그인 방법',
  'We send a code to this address, to check that it is yours.':
    '본인의 주소인지 확인하려고 이 주소로 코드를 보냅니다.',
  'We send a link to this address, to check that it is yours.':
    '본인의 주소인지 확인하려고 이 주소로 링크를 보냅니다.',
  'We sent a message to {email}. Its link works once, until {expiresAt}.':
    '{email} 주소로 메일을 보냈습니다. 링크는 {expiresAt}까지 한 번만 쓸 수 있습니다.',
  'We sent another code.': '코드를 다시 보냈습니다.',
  'We sent another link. The old one no longer works.':
    '링크를 다시 보냈습니다. 이전 링크는 더 이상 쓸 수 없습니다.',
  'With a code by email': '이메일 코드로',
  'With a link by email': '이메일 링크로',
  'With the code, a support agent can use your account for up to an hour:':
    '코드가 있으면 고객 지원 담당자가 최대 한 시간 동안 계정을 사용할 수 있습니다.',
  'With your password': '비밀번호로',
  'Yes, end it': '종료',
  'You are already signed in': '이미 로그인되어 있습니다',
  'You can send another link in 30 seconds.': '30초 후에 링크를 다시 보낼 수 있습니다.',
  'You can still restore it: <link>Restore the account</link>':
    '아직 복구할 수 있습니다: <link>계정 복구</link>',
  'You get no message if there is no account with this email.':
    '이 이메일을 쓰는 계정이 없으면 메일이 오지 않습니다.',
  'You opened the link in your mail. Continue to set a new password.':
    '메일의 링크를 열었습니다. 계속해서 새 비밀번호를 정하세요.',
  'You set a new password for {email}. This signs out every other device.':
    '{email} 계정의 새 비밀번호를 정합니다. 다른 모든 기기에서 로그아웃됩니다.',
  'You were signed out on this device.': '이 기기에서 로그아웃되었습니다.',
  'Your account is closed': '계정이 닫혔습니다',
  'Your account is created, and you are signed in.': '계정이 만들어졌고 로그인되었습니다.',
  'Your account is restored': '계정이 복구되었습니다',
  'Your account pages show that support is signed in. You can end it there.':
    '고객 지원이 로그인해 있으면 계정 페이지에 표시되며, 거기서 종료할 수 있습니다.',
  'Your browser did not copy it. Select the text and copy it yourself.':
    '브라우저에서 복사하지 못했습니다. 텍스트를 선택해 직접 복사하세요.',
  'Your new password is set. Every other device is signed out.':
    '새 비밀번호가 설정되었습니다. 다른 모든 기기에서 로그아웃되었습니다.',
  'A device is lost, or was left somewhere: sign out all of them.':
    '기기를 잃어버렸거나 두고 온 경우: 모든 기기에서 로그아웃합니다.',
  'A second step is removed': '2단계 인증 수단 삭제',
  'A user may do what any of their roles allows. A change counts from the next request on.':
    '사용자는 가진 역할 중 하나라도 허용하는 일을 할 수 있습니다. 변경은 다음 요청부터 적용됩니다.',
  Active: '활성',
  'Allow sign-ins again': '로그인 다시 허용',
  'Allow {user} to sign in again?': '{user} 계정의 로그인을 다시 허용할까요?',
  'Another role': '다른 역할',
  'Approved device': '승인된 기기',
  'Begins with': '다음으로 시작',
  'Close the account': '계정 닫기',
  'Close the account of {user}?': '{user} 계정을 닫을까요?',
  'Closed, deletion pending': '닫힘, 삭제 대기 중',
  Created: '만든 때',
  Deleted: '삭제됨',
  'Deletion of the account': '계정 삭제',
  'Each is in the audit trail with your name and the reason.':
    '각 작업은 작업자의 이름과 사유와 함께 감사 기록에 남습니다.',
  'Find a user by the beginning of an address, a name or a number.':
    '이메일 주소, 이름 또는 전화번호의 앞부분으로 사용자를 찾습니다.',
  'Give this role': '이 역할 주기',
  'Help this user': '이 사용자 지원',
  'Last sign-in': '마지막 로그인',
  'Link that restores an address': '주소를 되돌리는 링크',
  'Link that signs out everywhere': '모든 곳에서 로그아웃하는 링크',
  'Link to set a new password': '새 비밀번호를 정하는 링크',
  'Links that were mailed and still work, and what is carried out by itself.':
    '메일로 보낸 링크 중 아직 쓸 수 있는 것과 자동으로 실행될 작업입니다.',
  'Next page →': '다음 페이지 →',
  'No user is like that. Give less of it, or search in another field.':
    '해당하는 사용자가 없습니다. 더 짧게 입력하거나 다른 항목에서 찾아보세요.',
  'Nothing was done. You can’t change an account whose role ranks as high as yours or higher.':
    '실행되지 않았습니다. 본인과 같거나 더 높은 역할의 계정은 변경할 수 없습니다.',
  'Nothing was done: the account has changed meanwhile. Look at it again.':
    '실행되지 않았습니다. 그사이 계정이 바뀌었습니다. 다시 확인해 주세요.',
  'Optional. It is kept in the audit trail.': '선택 사항입니다. 감사 기록에 남습니다.',
  People: '사용자',
  'Phone number': '전화번호',
  Reason: '사유',
  'Require a new password': '새 비밀번호 요구',
  'Require a new password of {user}?': '{user} 계정에 새 비밀번호를 요구할까요?',
  'Restore the account': '계정 복구',
  'Restore the account of {user}?': '{user} 계정을 복구할까요?',
  Roles: '역할',
  Search: '찾기',
  'Search in': '찾을 항목',
  'Sign {device} out? What it has let in is signed out too.':
    '{device}에서 로그아웃할까요? 이 기기가 승인한 것도 함께 로그아웃됩니다.',
  'Sign {user} out of all devices and programs?':
    '{user} 계정을 모든 기기와 프로그램에서 로그아웃할까요?',
  'Sign-up link': '가입 링크',
  'Signed in {since} from {place}': '{since} {place}에서 로그인',
  Status: '상태',
  Suspend: '정지',
  'Suspend {user}, and sign out all devices?':
    '{user} 계정을 정지하고 모든 기기에서 로그아웃할까요?',
  Suspended: '정지됨',
  'Take the role {role} from this user?': '이 사용자에게서 {role} 역할을 뺄까요?',
  'The account is closed, and will be deleted. Until then you can restore it.':
    '계정이 닫혔으며 삭제될 예정입니다. 그때까지 복구할 수 있습니다.',
  'The account is misused: refuse all sign-ins, until you allow them again.':
    '계정이 악용되는 경우: 다시 허용할 때까지 모든 로그인을 거부합니다.',
  'The account is suspended. Its devices stay signed out when you allow sign-ins again.':
    '계정이 정지되어 있습니다. 로그인을 다시 허용해도 기기는 로그아웃된 상태로 남습니다.',
  'The password may be known to others: the user must choose another one.':
    '다른 사람이 비밀번호를 알 수 있는 경우: 사용자가 새 비밀번호를 정해야 합니다.',
  'The user wants to leave: close the account. It is deleted when its grace period is over.':
    '사용자가 탈퇴하려는 경우: 계정을 닫습니다. 유예 기간이 끝나면 삭제됩니다.',
  'There are no users here.': '사용자가 없습니다.',
  'This account is deleted.': '삭제된 계정입니다.',
  'This is the last superadmin. Give another user that role first.':
    '마지막 최고 관리자입니다. 먼저 다른 사용자에게 그 역할을 주세요.',
  'This is your own account. You change it on your account pages.':
    '본인의 계정입니다. 계정 페이지에서 변경하세요.',
  'This user is not signed in anywhere.': '이 사용자는 어디에도 로그인되어 있지 않습니다.',
  'User id': '사용자 ID',
  Users: '사용자 목록',
  'Yes, allow it': '네, 허용합니다',
  'Yes, close it': '네, 닫습니다',
  'Yes, require it': '네, 요구합니다',
  'Yes, restore it': '네, 복구합니다',
  'Yes, suspend': '네, 정지합니다',
  'Yes, take it': '네, 뺍니다',
  'authenticator app': '인증 앱',
  'must be changed': '변경 필요',
  never: '없음',
  none: '없음',
  passkey: '패스키',
  set: '설정됨',
  'until {time}': '{time}까지',
  '{role} · created {since}, has never signed in': '{role} · {since} 생성, 로그인한 적 없음',
  '{role} · last sign-in {since}': '{role} · 마지막 로그인 {since}',
  '{user} can sign in again.': '{user} 계정이 다시 로그인할 수 있습니다.',
  '{user} has the role {role} now.': '{user} 계정에 {role} 역할을 주었습니다.',
  '{user} is closed. You can restore it until it is deleted.':
    '{user} 계정을 닫았습니다. 삭제되기 전까지 복구할 수 있습니다.',
  '{user} is restored.': '{user} 계정을 복구했습니다.',
  '{user} is signed out everywhere.': '{user} 계정이 모든 곳에서 로그아웃되었습니다.',
  '{user} is signed out of {device}.': '{user} 계정이 {device}에서 로그아웃되었습니다.',
  '{user} is suspended, and signed out everywhere.':
    '{user} 계정이 정지되었고 모든 곳에서 로그아웃되었습니다.',
  '{user} must choose another password at the next sign-in.':
    '{user} 계정은 다음 로그인 때 새 비밀번호를 정해야 합니다.',
  '{user} no longer has the role {role}.': '{user} 계정에서 {role} 역할을 뺐습니다.',
  '← All people': '← 모든 사용자',
  '← First page': '← 첫 페이지',
  Administration: '관리',
  'Your account: {name}': '내 계정: {name}',
  Audit: '감사 기록',
  Live: '실시간',
  'What was done, by whom and to whom, the newest first.':
    '누가 누구에게 무엇을 했는지, 최신순입니다.',
  'The trail has nothing like that. Leave a field empty.':
    '해당하는 기록이 없습니다. 항목을 비워 보세요.',
  Acts: '작업 목록',
  Act: '작업',
  'By (user id)': '작업자 (사용자 ID)',
  'To whom or what': '대상',
  'From day': '시작일',
  'To day': '종료일',
  Refused: '거부됨',
  '{count} times': '{count}회',
  Details: '자세히',
  When: '시각',
  Request: '요청',
  '← Newer': '← 최신',
  'Older →': '이전 →',
  'Streams that are open now, of all instances: {total}.':
    '모든 인스턴스에서 지금 열려 있는 스트림: {total}개.',
  'The stream has ended. Its client may open another one.':
    '스트림을 종료했습니다. 클라이언트가 다시 열 수 있습니다.',
  'No stream is open.': '열려 있는 스트림이 없습니다.',
  Streams: '스트림 목록',
  'Opened {since} from {address}, at {instance}': '{since} {address}에서 열림, {instance}',
  'The client has not taken {bytes} bytes yet.':
    '클라이언트가 아직 받지 않은 데이터: {bytes}바이트.',
  'End this stream? Its client may open another one.':
    '이 스트림을 종료할까요? 클라이언트가 다시 열 수 있습니다.',
  'the stream of {user}': '{user}의 스트림',
  Jobs: '백그라운드 작업',
  'Work that goes on after a request: what waits, what has failed, and why.':
    '요청이 끝난 뒤에 계속되는 일: 기다리는 작업, 실패한 작업과 그 이유입니다.',
  Queues: '대기열 목록',
  '← All queues': '← 모든 대기열',
  Queue: '대기열',
  State: '상태',
  'Nothing waits, runs or has failed.': '기다리거나 실행 중이거나 실패한 작업이 없습니다.',
  'Queues where nothing waits, runs or has failed: {count}':
    '기다리거나 실행 중이거나 실패한 작업이 없는 대기열: {count}개',
  '{count} failed': '실패 {count}개',
  '{count} running': '실행 중 {count}개',
  '{count} due': '실행 대기 {count}개',
  '{count} later': '나중에 {count}개',
  'There may be more: 1,000 of a state are counted at most.':
    '더 있을 수 있습니다. 상태마다 1,000개까지만 셉니다.',
  'Runs next at {time}': '다음 실행: {time}',
  'No jobs yet. A job appears here when your application enqueues it.':
    '아직 작업이 없습니다. 애플리케이션이 작업을 등록하면 여기에 나타납니다.',
  'No job is like that. Choose another queue or state.':
    '해당하는 작업이 없습니다. 다른 대기열이나 상태를 선택하세요.',
  Running: '실행 중',
  Failed: '실패',
  Done: '완료',
  'Runs at {time}': '{time}에 실행',
  'Due {since}': '{since}부터 실행 대기',
  'Started {since}': '{since} 시작',
  'Failed {since}': '{since} 실패',
  'Done {since}': '{since} 완료',
  'Cancelled {since}': '{since} 취소',
  '{attempt} of {most} runs': '{most}회 중 {attempt}회 실행',
  'Job id': '작업 ID',
  'Not before': '실행 가능 시각',
  Started: '시작',
  Finished: '종료',
  'Cancel this job? It will not run.': '이 작업을 취소할까요? 실행되지 않습니다.',
  'The job runs once more. Reload the page to see what became of it.':
    '작업을 한 번 더 실행합니다. 결과를 보려면 페이지를 새로 고치세요.',
  'The job is cancelled. It will not run.': '작업을 취소했습니다. 실행되지 않습니다.',
  'This job is no longer kept.': '이 작업은 더 이상 보관되지 않습니다.',
  'Nothing was done: the job is in another state by now. Look at it again.':
    '실행되지 않았습니다. 그사이 작업의 상태가 바뀌었습니다. 다시 확인해 주세요.',
  Waiting: '대기 중',
  Cancelled: '취소됨',
  All: '전체',
  'Yes, cancel it': '네, 취소합니다',
  'Let it run': '그대로 두기',
}
