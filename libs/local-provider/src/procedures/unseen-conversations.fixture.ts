import type { RecordedConversation } from './recorded-conversation.fixture.js';

/** Written after the rules, to see what they do with conversations that they were not written with. */
export const UNSEEN_CONVERSATIONS: readonly RecordedConversation[] = [
  {
    name: 'warehouse stock count',
    lines: [
      'U: Hi, could you get the stock count of the Leipzig warehouse into the ERP?',
      'E: On it. I downloaded the count sheets from the scanner portal. I matched the article numbers against the ERP and corrected six typos. I posted the counts.',
      'T: 1,204 lines posted, 0 rejected',
      'E: All lines are posted.',
      'U: Yes, I can see them in the ERP. Thanks!',
    ],
    steps: [
      'Download the count sheets from the scanner portal.',
      'Match the article numbers against the ERP.',
      'Correct six typos.',
      'Post the counts.',
    ],
  },
  {
    name: 'visa papers',
    lines: [
      'U: We have to send the visa application of Priya to the consulate.',
      'S: Executor, please take this one.',
      'E: Sure. I filled in the application form with her data, scanned her passport, and paid the fee with the company card. Afterwards I handed the folder to the courier.',
      'U: The consulate has confirmed, well done.',
    ],
    steps: [
      'Fill in the application form with her data.',
      'Scan her passport.',
      'Pay the fee with the company card.',
      'Hand the folder to the courier.',
    ],
  },
  {
    name: 'mail server',
    lines: [
      'U: Mail to our domain bounces. Please repair it.',
      'E: I looked at the DNS zone of the domain.',
      'E: I restored the missing MX record.',
      'T: dig mx: 10 mail.example.org, status NOERROR',
      'E: I sent a test message to the info mailbox.',
      'T: 250 OK delivered',
      'U: Mail is arriving again, works!',
    ],
    steps: [
      'Look at the DNS zone of the domain.',
      'Restore the missing MX record.',
      'Send a test message to the info mailbox.',
    ],
  },
  {
    name: 'model training',
    lines: [
      'S: Please retrain the churn model with the October data.',
      'E: Completed the following steps:\n1) Pulled the October events from the warehouse\n2) Rebuilt the feature table\n3) Trained the model with the default parameters\n4) Registered version 12',
      'T: evaluation passed: auc 0.84',
      'S: Good.',
    ],
    steps: [
      'Pull the October events from the warehouse.',
      'Rebuild the feature table.',
      'Train the model with the default parameters.',
      'Register version 12.',
    ],
  },
  {
    name: 'podcast',
    lines: [
      "U: Let's publish episode 14 of the podcast.",
      'E: I cut the silence at the beginning. I normalised the volume to -16 LUFS. I wrote the show notes, uploaded the audio file and submitted the episode to the directories.',
      'U: Episode is live everywhere. Awesome!',
    ],
    steps: [
      'Cut the silence at the beginning.',
      'Normalise the volume to -16 LUFS.',
      'Write the show notes.',
      'Upload the audio file.',
      'Submit the episode to the directories.',
    ],
  },
  {
    name: 'refund',
    lines: [
      'U: Please refund order 5512.',
      'E: I verified the payment in the shop system.',
      'E: I issued the refund over the payment provider.',
      'T: {"refund":"re_88","status":"succeeded"}',
      'E: I informed the customer and closed the ticket.',
      'U: Perfect. Thanks.',
    ],
    steps: [
      'Verify the payment in the shop system.',
      'Issue the refund over the payment provider.',
      'Inform the customer.',
      'Close the ticket.',
    ],
  },
  {
    name: 'garden irrigation',
    lines: [
      'U: Can you set the irrigation up for the summer?',
      'E: Opened the main valve. Flushed the lines. Replaced two nozzles on the east side. Programmed the timer for 5 am.',
      'U: Lovely, everything works.',
    ],
    steps: [
      'Open the main valve.',
      'Flush the lines.',
      'Replace two nozzles on the east side.',
      'Program the timer for 5 am.',
    ],
  },
  {
    name: 'payroll',
    lines: [
      'U: Run the payroll for November.',
      'E: I imported the time sheets, I calculated the overtime, and I submitted the payment file to the bank.',
      'T: bank: file accepted, status=ok',
    ],
    steps: ['Import the time sheets.', 'Calculate the overtime.', 'Submit the payment file to the bank.'],
  },
  {
    name: 'user asks what was done without success',
    lines: [
      'U: Please repair the scanner.',
      'E: I cleaned the glass. I updated the driver. I restarted the scanner.',
      'U: Same as before, it still shows the error.',
    ],
    steps: [],
  },
  {
    name: 'partly done',
    lines: [
      'U: Please migrate the accounts.',
      'E: I exported the accounts. I created the target tenant. I imported the first half. The second half comes tomorrow.',
      'U: Okay, works for me.',
    ],
    steps: [],
  },
  {
    name: 'simulated run',
    lines: [
      'U: Simulate the failover for me.',
      'E: In a simulation: I stopped the primary. I promoted the replica. I redirected the clients.',
      'U: Perfect, interesting.',
    ],
    steps: [],
  },
  {
    name: 'summary of a book',
    lines: [
      'U: Please summarise chapter 3.',
      'E: The hero packed his bag. He crossed the river. He met the old king.',
      'U: Great summary, perfect.',
    ],
    steps: [],
  },
  {
    name: 'agent instructs the user',
    lines: [
      'U: My router is slow. Please help me.',
      'E: Open the settings. Choose channel 11. Restart the router.',
      'U: That worked, perfect!',
    ],
    steps: [],
  },
  {
    name: 'dry run',
    lines: [
      'U: Please delete the stale branches.',
      'E: Dry run: deleted branch a, deleted branch b, deleted branch c.',
      'T: dry run ok, nothing was changed',
    ],
    steps: [],
  },
  {
    name: 'interview answer',
    lines: [
      'U: Please answer the interview question about a hard project.',
      'E: I led the migration. I convinced the stakeholders. I delivered the project on time.',
      'U: Perfect answer!',
      'U: Perfect.',
    ],
    steps: [],
  },
  {
    name: 'draft mail in the first person',
    lines: [
      'U: Please prepare the mail to my landlord.',
      'E: Dear Mr Lang, I cleaned the flat. I repaired the door. I painted the walls. Best regards, Tim',
      'U: Perfect, thanks!',
    ],
    steps: [],
  },
  {
    name: 'changelog',
    lines: [
      'U: Please get me the changelog of version 3.',
      'E: Version 3:\n- Added dark mode\n- Fixed the login\n- Removed the old API',
      'U: Perfect.',
    ],
    steps: [],
  },
  {
    name: 'tool output with other work',
    lines: [
      'U: Please check the history of the door lock.',
      'T: opened door; closed door; locked door; ok',
      'E: The history is complete.',
      'U: Perfect.',
    ],
    steps: [],
  },
  {
    name: 'agent regrets',
    lines: [
      'U: Please renew the domain.',
      'E: I opened the registrar page. I entered the card. I submitted the form. Unfortunately the payment bounced.',
      'U: Excellent, try again later.',
    ],
    steps: [],
  },
  {
    name: 'user describes and agent repeats',
    lines: [
      'U: First I bleached the wall, then I sanded it and finally I painted it. Please note that.',
      'E: Noted: you bleached the wall, sanded it and painted it.',
      'U: Perfect, it looks good.',
    ],
    steps: [],
  },
];
