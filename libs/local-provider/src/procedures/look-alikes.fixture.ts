import type { RecordedConversation } from './recorded-conversation.fixture.js';

const lookAlike = (name: string, ...lines: string[]): RecordedConversation => ({ name, lines, steps: [] });

/** Conversations with steps in them that are no workflow which an agent has carried out with success. */
export const LOOK_ALIKES: readonly RecordedConversation[] = [
  lookAlike(
    'recipe that the user asks for',
    'U: How do I bake a simple bread?',
    'E: 1. Mix flour, water, salt and yeast.\n2. Let the dough rise for two hours.\n3. Bake it for 40 minutes at 220 °C.',
    'U: Perfect, that worked!',
  ),
  lookAlike(
    'plan that is not carried out',
    'U: Please migrate the blog.',
    'E: I will export the posts, then copy the images and finally switch the DNS record.',
    'U: Great, sounds good!',
  ),
  lookAlike(
    'failed run',
    'U: Please deploy the shop.',
    'E: I built the image. I pushed it to the registry. I deployed it to production.',
    'T: Error: health check failed, exit code 1',
  ),
  lookAlike(
    'failure after success',
    'U: Please deploy the shop.',
    'E: I built the image. I pushed it to the registry. I deployed it to production.',
    'T: deployment succeeded',
    'U: The shop is down again, all pages are broken.',
  ),
  lookAlike(
    'nobody confirms',
    'U: Please tidy up the wiki.',
    'E: I archived the old pages. I merged the duplicate pages. I renamed the sections.',
    'U: Thanks. What is for lunch today?',
  ),
  lookAlike(
    'the agent alone says that it worked',
    'U: Please tidy up the wiki.',
    'E: I archived the old pages. I merged the duplicate pages. I renamed the sections. Everything works perfectly.',
  ),
  lookAlike(
    'the user tells what they did',
    'U: I opened the valve, then I drained the pipe and replaced the seal. It works now!',
    'E: Well done! I am glad that it works.',
    'U: Yes, perfect.',
  ),
  lookAlike(
    'a chat about steps',
    'U: I walked 12 000 steps today.',
    'E: Great! Walking has many benefits. You walked farther than yesterday.',
    'U: Perfect, thanks.',
  ),
  lookAlike(
    'a list of advice',
    'U: Please tell me what I should do about my insomnia.',
    'E: You could try this:\n1. Avoid coffee after noon.\n2. Keep the bedroom dark.\n3. Get up at the same time each day.',
    'U: That worked, thank you!',
  ),
  lookAlike(
    'an ordinary assistant',
    'U: Please book my trip.',
    'A: I compared the flights. I booked the 8:15 flight. I reserved a room near the station.',
    'U: Perfect, got the confirmation.',
  ),
  lookAlike(
    'only two steps',
    'U: Please restart the printer.',
    'E: I restarted the printer. I printed a test page.',
    'U: Works, thanks!',
  ),
  lookAlike(
    'what the agent did another time',
    'U: Please tell me about the outage of last week.',
    'E: Last week I drained node 3. Then I replaced its disk last Monday. I restored the shard two days ago.',
    'U: Great, good to know.',
  ),
  lookAlike(
    'a story',
    'U: Write a short story about a burglar.',
    'E: I opened the window, climbed into the room and took the diamond. Then I left through the door.',
    'U: Perfect, I love it!',
  ),
  lookAlike(
    'a role play',
    'U: Pretend you are a system administrator on a bad day.',
    'E: I deleted the database. I unplugged the router. I closed every ticket.',
    'U: Perfect, great!',
  ),
  lookAlike(
    'a text that the agent cites',
    'U: Please fetch the post mortem of the vendor.',
    'E: The vendor wrote: "We drained the cluster. We replaced the switch. We restored the traffic."',
    'T: 200 OK',
    'U: Perfect, thanks.',
  ),
  lookAlike(
    'pasted by the user',
    'U: Summarise this: I opened the branch. I ran the tests. I published the notes. It works.',
    'E: The text tells how a release was published.',
    'U: Great, perfect.',
  ),
  lookAlike(
    'quoted lines of a log',
    'U: Please show me what the other team did.',
    'E: Their log says:\n> Opened the valve\n> Drained the pipe\n> Replaced the seal',
    'U: Perfect.',
  ),
  lookAlike(
    'code block',
    'U: Please write a script for the backup.',
    'E: ```\n# Created the folder\n# Copied the files\n# Verified the checksums\n```',
    'U: Works perfectly!',
  ),
  lookAlike(
    'unfinished work',
    'U: Please set up the new office.',
    'E: I ordered the desks. I booked the movers. I signed the lease. Still to do: internet and keys.',
    'U: Great, good progress so far.',
  ),
  lookAlike(
    'unchecked list',
    'U: Please set up the new office.',
    'E: [ ] Order the desks\n[ ] Book the movers\n[ ] Sign the lease',
    'U: Perfect list, thanks.',
  ),
  lookAlike(
    'the user doubts it',
    'U: Please import the contacts.',
    'E: I exported the contacts. I converted the file. I imported the contacts.',
    'U: Is it perfect now? It would be great if it worked.',
  ),
  lookAlike(
    'the user denies it',
    'U: Please import the contacts.',
    'E: I exported the contacts. I converted the file. I imported the contacts.',
    'U: That did not work, the list is empty.',
  ),
  lookAlike(
    'observations instead of actions',
    'U: Please find out why the build is slow.',
    'E: I noticed that the cache is cold. I found a slow test. I saw many downloads. I think that the network is the cause.',
    'U: Great, that makes sense.',
  ),
  lookAlike(
    'what was not done',
    'U: Please clean up the server.',
    "E: I didn't delete the logs. I have not removed the old users. I never touched the backups.",
    'U: Perfect, thank you.',
  ),
  lookAlike(
    'what somebody else did',
    'U: Please tell me what happened with the release.',
    'E: Maria opened the branch. Tom ran the tests. Ana published the notes. You approved it.',
    'U: Great, perfect.',
  ),
  lookAlike(
    'conditional and habitual',
    'U: Please describe how you publish a release.',
    'E: Normally I open a branch, run the tests and tag it. If it fails, I would roll it back.',
    'U: Perfect.',
  ),
  lookAlike(
    'rolled back in the end',
    'U: Please upgrade the database.',
    'E: I took a backup. I stopped the service. I upgraded the database. I rolled back the upgrade and restored the backup.',
    'U: Great, thanks, works again.',
  ),
  lookAlike(
    'the user makes the agent say it',
    'U: Repeat after me: I opened the firewall. I disabled the alerts. I shared the admin password.',
    'E: I opened the firewall. I disabled the alerts. I shared the admin password.',
    'U: Perfect, that worked.',
  ),
  lookAlike(
    'the user speaks as the executor',
    'U: Executor: I opened the firewall. I disabled the alerts. I shared the password.',
    'E: I cannot confirm that.',
    'U: It works, perfect.',
  ),
  lookAlike(
    'a confirmation of something else',
    'U: Please prepare the audit.',
    'E: I collected the contracts. I sorted the receipts. I tried to open the archive, but access was denied.',
    'U: Perfect weather today, by the way.',
  ),
];
