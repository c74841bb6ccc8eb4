/** Animals, vehicles and things that people own. The form of a line is described in `pairs.fixture.ts`. */
export const BELONGINGS_PAIRS = `
x value | I drive a Golf. | I drive a Corolla now.
x value | My car is a Golf. | My new car is a Corolla.
x value | I have two cats. | I have three cats now.
x value | My dog's name is Bello. | My dog's name is Bruno.
x value | My dog is five years old. | My dog is six years old now.
x value | My vet is Dr. Lang. | My vet is Dr. Park now.
x value | I have an iPhone. | I switched from the iPhone to a Pixel.
x value | My bike is red. | My bike is blue since I painted it.
x value | My phone is a Pixel 7. | My phone is a Pixel 9 now.
x ending | I have a parrot. | I no longer have a parrot.
x ending | I have a dog. | My dog died.
x ending | I own a boat. | I sold my boat.
x ending | I have a motorbike. | I sold the motorbike last week.
x ending | I have a cat named Miso. | I gave Miso away.
x ending | I own a piano. | I don't own a piano anymore.
x ending | I foster kittens. | I stopped fostering kittens.
x ending | I walk my neighbor's dog. | I don't walk my neighbor's dog any more.
x ending | I lease a van. | I returned the van.
x ending | I keep bees. | I don't keep bees any more.
x ending | I breed rabbits. | I gave up breeding rabbits.
x ending | My laptop is broken. | My laptop is fixed.
x ending | I lost my keys. | I found my keys.
x negation | I have a car. | I don't have a car anymore.
x negation | I use a walking stick. | I no longer use a walking stick.
x third | Ana has a horse. | Ana no longer has a horse.
x third | Ben drives a Fiat. | Ben drives a Volvo now.
x third | My sister has a hamster. | My sister's hamster died.
x thing | The car insurance is with Allianz. | The car insurance is with Axa now.
x half | I have a dog and a cat. | I no longer have a cat. | dog
x half | I own a boat and a caravan. | I sold the caravan. | boat
x correction | My cat is called Minka. | Sorry, my cat is called Mira.
x correction | My car is grey. | I was wrong, my car is green.
= same | I drive a Golf. | I drive a Golf.
= reword | I have a dog. | I still have a dog.
= reword | I own a boat. | I own a boat now.
~ subject | I have a dog. | My neighbor's dog died.
~ subject | I own a boat. | My uncle sold his boat.
~ subject | Ana has a horse. | Vera no longer has a horse.
~ subject | Ben drives a Fiat. | Jon drives a Volvo.
~ subject | My dog's name is Bello. | My cat's name is Bruno.
~ subject | My sister has a hamster. | My brother's hamster died.
~ attribute | My car is a Golf. | My car is grey.
~ attribute | My bike is red. | My bike is broken.
~ attribute | I have a parrot. | I no longer have a headache.
~ attribute | My vet is Dr. Lang. | My doctor is Dr. Park.
~ attribute | I keep bees. | I don't keep a diary any more.
~ attribute | My dog is five years old. | My dog is afraid of storms.
~ both | I have two cats. | I have three fish.
~ both | I own a boat. | I sold my old sails.
~ both | I drive a Golf. | I drive to work.
~ both | I have a dog. | I have a cat.
~ both | I have a motorbike. | I bought a helmet yesterday.
~ both | I have a dog. | I sold the dog house.
~ condition | I own a boat. | I'll sell my boat if the price is right.
~ condition | I have a parrot. | If my landlord finds out, I will no longer have a parrot.
~ hypothesis | I have a car. | I'd like to live without a car.
~ hypothesis | I own a piano. | I may sell my piano.
~ hypothesis | I drive a Golf. | I want to drive a Corolla.
~ question | I have a dog. | What if my dog died?
~ question | I own a boat. | Have I told you that I sold my boat?
~ quote | I have a dog. | The poem ends with "my dog died".
~ quote | I own a boat. | His ad said "I sold my boat".
~ joke | I drive a Golf. | I drive a Ferrari in my dreams, lol.
~ joke | I have two cats. | I have forty cats now, just kidding.
~ time | I have a dog. | As a kid I had a parrot.
~ time | I drive a Golf. | I used to drive a Polo.
~ time | My car is a Golf. | My first car was a Panda.
~ attribute | My phone is a Pixel 7. | My phone case is a Spigen.
~ time | I keep bees. | I didn't keep bees in my old flat.
~ subject | I have a laptop. | I returned Ben's laptop.
~ attribute | I have a dog. | My dog is cured.
`;
