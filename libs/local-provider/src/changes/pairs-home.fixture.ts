/** Where people live, and their household. The form of a line is described in `pairs.fixture.ts`. */
export const HOME_PAIRS = `
x value | I live in Ghent. | I moved to Bruges.
x value | I live in Porto. | I moved to Faro last month.
x value | My address is 12 Mill Lane. | My address is 4 Orchard Street now.
x value | I'm living in Leipzig at the moment. | I've moved to Dresden for a new start.
x value | I'm based in Cork. | I relocated to Galway in March.
x value | My landlord is Mr. Brandt. | My new landlord is Mrs. Ortiz.
x value | My rent is 900 euros a month. | My rent is 1050 euros a month now.
x value | I moved to Turin in 2019. | I live in Genoa these days.
x value | I share a flat with two roommates. | I live alone now.
x value | My flat is on the third floor. | My flat is on the ground floor since we swapped.
x ending | I live in Utrecht. | I no longer live in Utrecht.
x ending | I live with my parents. | I moved out of my parents' house.
x ending | I rent a studio in Lyon. | I don't rent the studio in Lyon any more.
x ending | I have a balcony. | I don't have a balcony anymore.
x ending | I have a roommate. | My roommate moved out.
x ending | I own a cabin in Vermont. | I sold the cabin in Vermont.
x ending | I'm renovating my kitchen. | I finished renovating my kitchen.
x ending | I'm looking for a flat in Graz. | I stopped looking for a flat in Graz.
x negation | I have a garden. | I don't have a garden any more.
x negation | My house has a garage. | My house has no garage any more.
x third | Ana lives in Seville. | Ana moved to Granada.
x third | My mother lives in Split. | My mother doesn't live in Split anymore.
x third | Tom's landlord is Peter Vogel. | Tom's landlord is Inga Roth now.
x thing | The door code is 4471. | The door code is 9920.
x thing | The cleaner comes on Mondays. | The cleaner comes on Thursdays now.
x half | I live in Bern and commute to Basel. | I moved to Chur. | Basel
x half | I have a garden and a dishwasher. | I don't have a dishwasher any more. | garden
x correction | I live in Malmo. | Actually, I live in Lund, not Malmo.
x correction | My flat has four rooms. | I was wrong, my flat has three rooms.
= same | I live in Ghent. | I live in Ghent.
= reword | I live in Porto. | I'm still living in Porto.
= reword | My landlord is Mr. Brandt. | My landlord is still Mr. Brandt.
~ subject | I live in Ghent. | My sister moved to Bruges.
~ subject | Ana lives in Seville. | Eva moved to Granada.
~ subject | My mother lives in Split. | My father doesn't live in Split anymore.
~ subject | Tom's landlord is Peter Vogel. | Eva's landlord is Inga Roth.
~ subject | I own a cabin in Vermont. | My uncle sold the cabin in Vermont.
~ subject | The door code is 4471. | The garage code is 9920.
~ attribute | My rent is 900 euros a month. | My deposit is 1800 euros.
~ attribute | I live in Porto. | I no longer work in Porto.
~ attribute | The door code is 4471. | The door color is green.
~ attribute | I live in Utrecht. | I moved to the marketing team.
~ attribute | My flat is on the third floor. | My office is on the ground floor.
~ attribute | I have a garden. | I don't have a gardener any more.
~ both | I live in Lyon. | I have a summer house in Nice.
~ both | I live in Cork. | I visited Galway last weekend.
~ both | I live in Bern. | I live in Switzerland.
~ both | My house has a garage. | My house has a cellar.
~ both | I live in Turin. | I was born in Genoa.
~ both | I rent a studio in Lyon. | I rent a parking space in Lyon too.
~ condition | I live in Ghent. | I will move to Bruges if I get the job.
~ condition | I have a balcony. | If I move I won't have a balcony any more.
~ hypothesis | I live in Leipzig. | I wish I lived in Dresden.
~ hypothesis | I live with my parents. | I might move out of my parents' house.
~ hypothesis | My rent is 900 euros a month. | I would pay 1200 euros a month for a bigger flat.
~ question | I live in Porto. | Should I move to Faro?
~ question | I have a garden. | Why don't I have a bigger garden?
~ quote | I live in Utrecht. | My neighbor said "I no longer live in Utrecht".
~ quote | Ana lives in Seville. | Someone wrote "Ana moved to Granada" on the wall.
~ joke | I live in Cork. | I live on the moon now, just kidding.
~ joke | I own a cabin in Vermont. | I sold the cabin for a sandwich, lol, just kidding.
~ time | I live in Ghent. | Back then I lived in Antwerp.
~ time | I live in Porto. | I used to live in Braga.
~ time | My landlord is Mr. Brandt. | In 2015 my landlord was Mr. Keller.
~ time | I live in Turin. | I'm moving to Milan next year.
~ subject | My rent is 900 euros a month. | Tom's rent is 1050 euros a month now.
~ both | I share a flat with two roommates. | I share a car with my roommates.
~ both | I go to the gym. | I left the gym at 6 pm.
`;
