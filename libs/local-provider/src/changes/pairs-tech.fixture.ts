/** Servers, tools and projects of teams. The form of a line is described in `pairs.fixture.ts`. */
export const TECH_PAIRS = `
x thing | The staging server is eu-3. | The staging server is eu-5.
x thing | The staging server is eu-3. | The staging server is now us-1.
x thing | The production database is on host db-7. | The production database is on host db-9 now.
x thing | The default branch is master. | The default branch is main now.
x thing | The release date is 4 May. | The release date is 18 May.
x thing | The project's budget is 40000 euros. | The project's budget is 55000 euros now.
x thing | The API version is 2.1. | The API version is 3.0 now.
x thing | The deadline is Friday. | The deadline is Monday now.
x thing | The owner of the billing service is Kai. | The owner of the billing service is Noor now.
x thing | The project lead is Marta. | The project lead is Oskar.
x thing | The backup runs at 2 am. | The backup runs at 4 am now.
x thing | The staging port is 8080. | The staging port is 9090.
x thing | The log retention is 30 days. | The log retention is 14 days now.
x thing | The wiki is hosted on Confluence. | The wiki is hosted on Notion now.
x value | We deploy on Fridays. | We deploy on Mondays now.
x value | I use Vim. | I switched from Vim to Emacs.
x value | My main language is Java. | My main language is Kotlin now.
x value | We use Jenkins for our builds. | We moved from Jenkins to Buildkite.
x ending | We use Slack. | We no longer use Slack.
x ending | I use Linux at work. | I stopped using Linux at work.
x ending | I maintain the parser library. | I no longer maintain the parser library.
x ending | I subscribe to Netflix. | I cancelled Netflix.
x ending | We support Windows 10. | We don't support Windows 10 any more.
x ending | The build is broken. | The build is fixed.
x ending | The search service is down. | The search service is back up.
x third | Noor's laptop is a Dell. | Noor's laptop is a Framework now.
x third | Kai is on call. | Kai is no longer on call.
x half | I use Vim and maintain the parser library. | I no longer use Vim. | parser
x half | The staging server is eu-3 and the port is 8080. | The staging server is eu-5. | 8080
x correction | The staging server is eu-3. | I was wrong, the staging server is eu-4.
x correction | The release date is 4 May. | Actually, the release date is 5 May.
= same | The staging server is eu-3. | The staging server is eu-3.
= reword | The default branch is main. | The default branch is still main.
= reword | I use Vim. | I still use Vim.
~ subject | The staging server is eu-3. | The production server is eu-5.
~ subject | The API version is 2.1. | The client version is 3.0.
~ subject | Noor's laptop is a Dell. | Kai's laptop is a Framework.
~ subject | Kai is on call. | Noor is no longer on call.
~ subject | The search service is down. | The mail service is back up.
~ subject | The owner of the billing service is Kai. | The owner of the login service is Noor.
~ attribute | The staging server is eu-3. | The staging server is down.
~ attribute | The staging server is eu-3. | The staging server is slow today.
~ attribute | The staging port is 8080. | The staging password is in the vault.
~ attribute | The release date is 4 May. | The review date is 18 May.
~ attribute | The project lead is Marta. | The project sponsor is Oskar.
~ attribute | The deadline is Friday. | The demo is Monday.
~ both | We use Slack. | We use Zoom.
~ both | The staging server is eu-3. | The staging server is in Frankfurt.
~ both | I use Vim. | I use Emacs for notes.
~ both | We deploy on Fridays. | We deploy with Ansible.
~ both | My main language is Java. | My main language is a bit verbose.
~ both | The backup runs at 2 am. | The backup runs on a spare machine.
~ condition | The staging server is eu-3. | If eu-3 fails, the staging server is eu-5.
~ condition | We use Slack. | We will no longer use Slack if the price goes up.
~ hypothesis | The default branch is master. | The default branch could be main.
~ hypothesis | I use Vim. | I might switch from Vim to Emacs.
~ hypothesis | The release date is 4 May. | Perhaps the release date is 18 May.
~ question | The staging server is eu-3. | Is the staging server eu-5?
~ question | The deadline is Friday. | Wasn't it that the deadline is Monday?
~ quote | The staging server is eu-3. | The old readme says "the staging server is eu-1".
~ quote | The API version is 2.1. | His slide said "the API version is 9".
~ joke | The deadline is Friday. | The deadline is yesterday as always, lol.
~ joke | I use Vim. | I stopped using Vim because I finally found the exit, just kidding.
~ time | The staging server is eu-3. | The staging server was eu-1 last year.
~ time | We use Slack. | We used to use Skype.
~ time | The project lead is Marta. | In 2023 the project lead was Oskar.
~ attribute | The log retention is 30 days. | The backup retention is 14 days.
~ subject | I maintain the parser library. | Kai no longer maintains the parser library.
`;
